import * as re2 from '@bufbuild/re2';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LinearRegex, RegexFault } from '../../../../src/policy/builtins/cel/linear-regex.ts';

const unbounded = (): void => undefined;

function matches(pattern: string, text: string): boolean {
  return new LinearRegex(pattern, re2).test(text, unbounded);
}

describe('a linear regular expression', () => {
  it.each([
    ['', '', true],
    ['b', 'abc', true],
    ['^b', 'abc', false],
    ['c$', 'abc', true],
    ['^$', '', true],
    ['^$', 'a', false],
    ['(?m)^b$', 'a\nb\nc', true],
    ['^b$', 'a\nb\nc', false],
    ['\\Aa.*z\\z', 'a to z', true],
    ['a.c', 'a\nc', false],
    ['(?s)a.c', 'a\nc', true],
    ['\\bfoo\\b', 'a foo b', true],
    ['\\bfoo\\b', 'afoo', false],
    ['o\\B.', 'fo!', false],
    ['\\Boo', 'foo', true],
    ['(?i)straße', 'STRAßE', true],
    ['^.$', '😀', true],
    ['[^a]', 'aaa', false],
    ['^(a|ab)(c|bcd)$', 'abcd', true],
    ['(a+)+$', 'aaaab', false],
    ['x{2,3}y', 'axxy', true],
    ['\\pL+\\d', 'é1', true],
  ])('%j on %j: %j', (pattern, text, wanted) => {
    expect(matches(pattern, text)).toBe(wanted);
  });

  it('matches what the language has matched in its own engine, on patterns and texts that both read alike', () => {
    const atom = fc.constantFrom('a', 'b', '\n', '.', '[ab]', '[^a]', '\\b', '\\B', '^', '$', '\\w', '\\s', ' ');
    const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
      pattern: fc.oneof(
        { depthSize: 'small' },
        atom,
        fc.tuple(tie('pattern'), tie('pattern')).map(([one, other]) => one + other),
        fc.tuple(tie('pattern'), tie('pattern')).map(([one, other]) => `(?:${one}|${other})`),
        fc.tuple(tie('pattern'), fc.constantFrom('*', '+', '?', '{2}', '{1,3}')).map(([inner, times]) => `(?:${inner})${times}`),
      ),
    }));
    const text = fc.array(fc.constantFrom('a', 'b', ' ', '\n', '_', '1'), { maxLength: 8 }).map((characters) => characters.join(''));
    fc.assert(
      fc.property(pattern, text, (source, on) => {
        expect(matches(source, on)).toBe(new RegExp(source).test(on));
      }),
      { seed: 7, numRuns: 2000 },
    );
  });

  it('forgets what it learnt before memory fills, and still matches', () => {
    const text = Array.from({ length: 30_000 }, (_, index) => String.fromCodePoint(0x4e00 + (index % 20_000))).join('');
    const regex = new LinearRegex('一.丁?z', re2);
    expect(regex.test(text, unbounded)).toBe(false);
    expect(regex.test(`${text}一az`, unbounded)).toBe(true);
  });

  it('spends in proportion to the text, and more for each state that it has not met', () => {
    const spentOn = (pattern: string, text: string): number => {
      let spent = 0;
      new LinearRegex(pattern, re2).test(text, (steps) => (spent += steps));
      return spent;
    };
    expect(spentOn('[cd]', 'ab'.repeat(50_000))).toBeCloseTo(2 * spentOn('[cd]', 'ab'.repeat(25_000)), -3);
    expect(spentOn('(a|b)*a(a|b){12}[cd]', 'aabab'.repeat(1000))).toBeGreaterThan(spentOn('(a|b)*[cd]', 'aabab'.repeat(1000)));
  });

  it.each([
    ['(', 'no regular expression of RE2: missing closing ): `(`'],
    ['(a)\\1', 'no regular expression of RE2: invalid escape sequence: `\\1`'],
    ['a'.repeat(1001), 'a regular expression has at most 1,000 characters'],
    ['\\pL\\pN\\p{Greek}', 'a regular expression has at most 2 Unicode classes such as \\pL'],
    ['(?:a{1000}|b{1000}|c{1000}|d{1000})', 'the regular expression repeats too much'],
  ])('refuses %.40s', (pattern, message) => {
    expect(() => new LinearRegex(pattern, re2)).toThrow(new RegexFault(message));
  });
});
