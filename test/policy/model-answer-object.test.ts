import { describe, expect, it } from 'vitest';
import { answerObject, answerWord } from '../../src/policy/model-answer-object.ts';

const read = (text: string) => answerObject({ kind: 'answered', text });

describe("a model's answer", () => {
  it.each([
    '{"verdict":"YES"}',
    '  {"verdict":"YES"}\n',
    '```json\n{"verdict":"YES"}\n```',
    '```\n{"verdict":"YES"}\n```\n',
    '```JSON\r\n{"verdict":"YES"}\r\n```',
    '```{"verdict":"YES"}```',
    '```json {"verdict":"YES"} ```',
  ])('is read, with or without a fence around it: %j', (text) => {
    expect(read(text)).toEqual({ kind: 'object', object: { verdict: 'YES' } });
  });

  it.each([
    'YES',
    'It is {"verdict":"YES"}',
    '{"verdict":"YES"} I am sure.',
    '{"verdict":"YES"}{"verdict":"NO"}',
    '{"verdict":"YES"',
    '```json\n{"verdict":"YES"}',
    '{"verdict":"YES"}\n```',
    '```json\n{"verdict":"YES"}\n``` or so',
    '```',
    '``````',
    '```json\n```',
    "{'verdict':'YES'}",
    '[{"verdict":"YES"}]',
    '"YES"',
    'true',
    '7',
    'null',
  ])('is unreadable when it is anything but one JSON object: %j', (text) => {
    expect(read(text)).toEqual({ kind: 'unreadable' });
  });

  it('is empty when it has nothing but blanks', () => {
    for (const text of ['', ' ', '\n\t']) expect(read(text)).toEqual({ kind: 'empty' });
  });

  it('keeps what became of the question', () => {
    expect(answerObject({ kind: 'failed' })).toEqual({ kind: 'failed' });
    expect(answerObject({ kind: 'notConfigured' })).toEqual({ kind: 'notConfigured' });
  });

  it('is one of the words that were asked for, to the letter, or none', () => {
    const word = (text: string) => answerWord({ kind: 'answered', text }, 'verdict', ['YES', 'NO']);
    expect(word('{"verdict":"YES","why":"because"}')).toBe('YES');
    for (const text of ['{"verdict":"yes"}', '{"verdict":" YES"}', '{"Verdict":"YES"}', '{"verdict":["YES"]}', '{"verdict":true}', '{}', '']) expect({ text, word: word(text) }).toEqual({ text, word: null });
  });

  it('of a megabyte is read in linear time', () => {
    for (const text of ['```'.repeat(350_000), '`'.repeat(1_000_000), '['.repeat(1_000_000), `\`\`\`${'a'.repeat(1_000_000)}`]) {
      const start = performance.now();
      expect(read(text)).toEqual({ kind: 'unreadable' });
      expect(performance.now() - start).toBeLessThan(3000);
    }
  });
});
