import { fieldsMax } from './budget.ts';
import { flowCharsMax } from './flow.ts';
import type { Field } from './machine.ts';
import { isKnown, wildHole, type Marks } from './marks.ts';

/** Builds the fields that one word expands to. */
export class Fields {
  readonly fields: Field[] = [];
  private text = '';
  private isOpen = false;
  private plural = false;
  private readonly marks: Marks;

  constructor(marks: Marks) {
    this.marks = marks;
  }

  /** A text that is not split: literal or in quotes. Even an empty one makes a field. */
  add(text: string): void {
    this.text += text;
    this.isOpen = true;
    if (this.text.length > flowCharsMax) this.text = this.marks.add('…', 'wild');
  }

  /** A literal text without quotes: what is not known in it may be many words. */
  addBare(text: string): void {
    if (!isKnown(text)) this.plural = true;
    this.add(text);
  }

  /** An expansion without quotes. */
  addSplit(text: string, separators: string): void {
    if (text === '') return;
    if (!isKnown(text)) this.plural = true;
    if (separators === '' || !Array.from(separators).some((char) => text.includes(char))) return this.add(text);
    const pieces = splitFields(text, separators);
    for (const [index, piece] of pieces.entries()) {
      if (index > 0) this.close();
      if (!isKnown(piece)) this.plural = true;
      if (piece !== '' || (index > 0 && index < pieces.length - 1)) this.add(piece);
    }
  }

  /** A glob, or anything else that may become several fields. */
  addPlural(text: string): void {
    this.add(text);
    this.plural = true;
  }

  /** Several fields at once, as `"$@"`: the first goes on with what stands before, the last with what comes. */
  addList(texts: readonly string[]): void {
    for (const [index, text] of texts.entries()) {
      if (index > 0) this.close();
      this.addBare(text);
    }
  }

  close(): void {
    if (this.isOpen && this.fields.length < fieldsMax) this.fields.push({ text: this.text, plural: this.plural && !isKnown(this.text) });
    // All that are too many stand as one that is not known.
    else if (this.isOpen && this.fields.length === fieldsMax) this.fields.push({ text: wildHole, plural: true });
    this.text = '';
    this.isOpen = false;
    this.plural = false;
  }
}

/** Blanks among the separators separate together, others each by itself. A first or last piece may be empty: there the text goes on. */
export function splitFields(text: string, separators: string): readonly string[] {
  const pieces: string[] = [];
  let piece = '';
  let at = 0;
  while (at < text.length) {
    const char = text.charAt(at);
    if (!separators.includes(char)) {
      piece += char;
      at += 1;
      continue;
    }
    pieces.push(piece);
    piece = '';
    let hasHard = false;
    while (at < text.length && separators.includes(text.charAt(at)) && !(hasHard && !isBlank(text.charAt(at)))) {
      if (!isBlank(text.charAt(at))) hasHard = true;
      at += 1;
    }
  }
  pieces.push(piece);
  return pieces;
}

function isBlank(char: string): boolean {
  return char === ' ' || char === '\t' || char === '\n';
}
