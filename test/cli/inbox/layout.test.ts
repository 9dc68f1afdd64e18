import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { fit, wrap } from '../../../src/cli/inbox/layout.ts';

describe('a foreign text', () => {
  const texts = ['', 'a b c', 'one long-word-that-fits-nowhere end', '  indented  twice', '日本語のテキスト and more', '👩‍👩‍👧‍👦 family e\u0301', 'x'.repeat(100), 'a'.repeat(9) + ' ' + 'b'.repeat(30)];

  it.each(texts)('is wrapped without losing anything, and within its columns: %j', (text) => {
    const lines = wrap(text, 10);
    expect(lines.join('')).toBe(text.replaceAll('\u200d', '\\u{200d}'));
    expect(Math.max(...lines.map((line) => stringWidth(line)))).toBeLessThanOrEqual(10);
  });

  it('is broken behind blanks where it can be', () => {
    expect(wrap('the agent wants to use Bash', 12)).toEqual(['the agent ', 'wants to ', 'use Bash']);
  });

  it('that is cut says so', () => {
    expect(fit('abcdefghij', 5)).toBe('abcd…');
    expect(fit('日本語のテキスト', 6)).toBe('日本…');
    expect(fit('abc', 5)).toBe('abc');
  });

  it('never steers the terminal', () => {
    expect(wrap('\u001b[2J\r\n\u202e', 40)).toEqual(['\\u{1b}[2J\\r\\n\\u{202e}']);
  });
});
