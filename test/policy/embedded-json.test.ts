import { expect, it } from 'vitest';
import { embeddedJson, isNestedTooDeep } from '../../src/policy/embedded-json.ts';

it('reads what is JSON, and nothing else', () => {
  expect(embeddedJson(' {"a":[1]} ')).toEqual({ a: [1] });
  expect(embeddedJson('null')).toBeNull();
  expect(embeddedJson('[1')).toBeUndefined();
  expect(embeddedJson('')).toBeUndefined();
});

it('reads no JSON that is nested deeper than a thousand levels, and a text that is all brackets soon', () => {
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  expect(embeddedJson(nested(1000))).toBeDefined();
  expect(embeddedJson(nested(1001))).toBeUndefined();
  expect(isNestedTooDeep(`[${'[],{},'.repeat(5000)}1]`)).toBe(false);
  const startedAt = performance.now();
  expect(embeddedJson('['.repeat(1_000_000))).toBeUndefined();
  expect(performance.now() - startedAt).toBeLessThan(100);
});
