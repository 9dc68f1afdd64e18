import { describe, expect, it } from 'vitest';
import { markedJson, parseJson } from '../../src/http/parse-json.ts';

describe('a whole number that JavaScript cannot hold', () => {
  it.each(['9007199254740993', '-9007199254740993', '123456789012345678901234567890123'])('%s is read as one that is refused everywhere', (digits) => {
    expect(parseJson(`{"a":[${digits}]}`)).toEqual({ a: [Infinity] });
    expect(JSON.parse(markedJson(`{"a":[${digits}]}`))).toEqual({ a: [Infinity] });
  });

  it.each(['9007199254740992', '9007199254740994', '1000000000000000000000', '0.1234567890123456789', '12345678901234567e3'])('%s is taken as it is', (digits) => {
    expect(parseJson(`[${digits}]`)).toEqual([Number(digits)]);
    expect(JSON.parse(markedJson(`[${digits}]`))).toEqual([Number(digits)]);
  });

  it('in a text is text', () => {
    expect(parseJson('{"9007199254740993":"9007199254740993"}')).toEqual({ '9007199254740993': '9007199254740993' });
  });

  it('leaves what is no JSON to whoever parses it', () => {
    expect(markedJson('{ 9007199254740993')).toBe('{ 9007199254740993');
    expect(() => parseJson('{ 9007199254740993')).toThrow(SyntaxError);
  });
});
