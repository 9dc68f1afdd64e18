import { describe, expect, it } from 'vitest';
import { fingerprint } from '../../src/policy/fingerprint.ts';
import { sha256Hex } from '../../src/policy/sha256.ts';
import type { Json } from '../../src/policy/index.ts';

describe('a fingerprint is the same for', () => {
  it.for<[string, Json, Json]>([
    ['members in another order', { a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 }],
    ['numbers in another form', [1, 0, 100], [1.0, -0, 1e2]],
    ['letters in another Unicode form', 'naïve', 'nai\u0308ve'],
    ['keys in another Unicode form, wherever they are sorted', { 'é': 1, z: 2 }, { 'e\u0301': 1, z: 2 }],
    ['a character that nobody sees', 'rm -rf', 'rm\u200b -rf\u2060'],
    ['a pile of marks, however high', `a${'\u0301'.repeat(40)}`, `a${'\u0301'.repeat(50)}`],
    ['half a surrogate pair and its replacement', 'a\ud83d', 'a\ufffd'],
  ])('%s', ([, one, other]) => {
    expect(fingerprint(one)).toBe(fingerprint(other));
  });
});

describe('a fingerprint differs for', () => {
  it.for<[Json, Json]>([
    [[1, 2], [2, 1]],
    [1, '1'],
    [true, 'true'],
    [null, {}],
    [{}, []],
    ['ls', 'ls '],
    ['ls', 'LS'],
    ['ls', 'ｌｓ'],
    [{ a: 1 }, { a: 1, b: null }],
    [{ 'é': 1, 'e\u0301': 2 }, { 'é': 2 }],
    [JSON.parse('{"__proto__":1}') as Json, {}],
  ])('%j and %j', ([one, other]) => {
    expect(fingerprint(one)).not.toBe(fingerprint(other));
  });
});

it('takes a megabyte in no time', () => {
  const startedAt = performance.now();
  fingerprint({ text: 'é\u0301'.repeat(300_000), list: Array.from({ length: 100_000 }, (_, index) => index) });
  expect(performance.now() - startedAt).toBeLessThan(2000);
});

it('is a SHA-256 as everyone computes it', () => {
  expect(sha256Hex('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  expect(sha256Hex('naïve ✓ 日本')).toBe('75fc9e6adf7b6438bfd9aedf226984a62c93add8b69594eb2ef8cfd7a466384c');
});
