import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PolicyEvent } from '../../src/policy/event.ts';
import { contentPreviewOf, visibleMessage, visibleName } from '../../src/gate/visible-text.ts';

/** Everything that is drawn as nothing, or moves what is drawn: by Unicode's own property, and what we add to it. */
const deceptive = /[\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Variation_Selector}\u00a0\u1680\u2000-\u200f\u2028-\u202f\u205f\u2800\u3000\u{e0001}\u{e0020}-\u{e007f}]/u;

const hidden = fc.constantFrom('\u202e', '\u2066', '\u200b', '\u200d', '\u00ad', '\u{e0041}', '\ufe0f', '\u{e0101}', '\u3164', '\u115f', '\uffa0', '\u2800', '\u3000', '\u00a0', '\u0007', '\u001b', '\u0085', '\u2028', '\ufeff', '\u061c', '\u180e', '\ufff9', '\ud800', '\u{1d173}');

const text = fc.array(fc.oneof({ weight: 2, arbitrary: hidden }, fc.string({ unit: 'binary' }), fc.constantFrom(' ', '\n', '\t', '\\', '"', ' '.repeat(40), '\\u{200b}')), { maxLength: 60 }).map((parts) => parts.join(''));

const event = (value: string): PolicyEvent => ({ type: 'tool_call', target: 'Bash', data: { name: 'Bash', arguments: { command: value } } });

describe('what people are shown', () => {
  it('never holds a character that hides or moves others', () => {
    fc.assert(
      fc.property(text, (given) => {
        expect(visibleMessage(given).replace(/[\n\t]/g, '')).not.toMatch(deceptive);
        expect(visibleName(given)).not.toMatch(deceptive);
        expect(contentPreviewOf(event(given))).not.toMatch(deceptive);
      }),
      { numRuns: 1000 },
    );
  });

  it('is shown the same when it is made visible again', () => {
    fc.assert(
      fc.property(text, (given) => {
        expect(visibleMessage(visibleMessage(given))).toBe(visibleMessage(given));
        expect(visibleName(visibleName(given))).toBe(visibleName(given));
      }),
      { numRuns: 1000 },
    );
  });

  it('has no code point at all that Unicode lets a reader ignore', () => {
    for (let code = 0; code <= 0x10ffff; code += 1) {
      const shown = visibleName(String.fromCodePoint(code));
      if (deceptive.test(shown)) expect.fail(`U+${code.toString(16)} is not made visible`);
    }
  });

  it.each([
    ['spaces', ' '],
    ['line breaks', '\n'],
    ['tabs', '\t'],
    ['no-break spaces', '\u00a0'],
    ['ideographic spaces', '\u3000'],
    ['Hangul fillers', '\u3164'],
    ['Braille blanks', '\u2800'],
    ['zero-width spaces', '\u200b'],
  ])('folds a long run of %s and says how many there were', (_name, blank) => {
    expect(visibleMessage(`ls${blank.repeat(500)}&& rm -rf /`)).toBe('ls⟨500 blanks⟩&& rm -rf /');
    expect(contentPreviewOf(event(`ls${blank.repeat(500)}&& rm -rf /`))).toContain('ls⟨500 blanks⟩&& rm -rf /');
  });

  it('folds a run of mixed blanks as one', () => {
    expect(visibleMessage(`a${' \n\u3000'.repeat(20)}b`)).toBe('a⟨60 blanks⟩b');
  });

  it('leaves what indents a line', () => {
    expect(visibleMessage('a\n        b\tc')).toBe('a\n        b\tc');
  });

  it('marks a cut, and never cuts a character in two', () => {
    const long = '😀'.repeat(3000);
    expect(visibleMessage(long)).toMatch(/…$/);
    expect(visibleMessage(long).isWellFormed()).toBe(true);
    expect(visibleMessage(long).length).toBeLessThanOrEqual(4096);
    expect(contentPreviewOf(event(long))).toMatch(/…$/);
    expect(contentPreviewOf(event(long)).length).toBeLessThanOrEqual(1024);
    expect(visibleMessage('x'.repeat(4096))).not.toContain('…');
  });

  it('shows a name on one line', () => {
    expect(visibleName('a\nb\u202ec')).toBe('a\\u{a}b\\u{202e}c');
  });
});
