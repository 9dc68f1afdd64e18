import type { Word } from './reading.ts';

/**
 * Texts in which what is not known is one character of Unicode's private use area each, so that a text with holes can be cut, joined
 * and read again by another shell like any text. `Marks` remembers what each of them stands for.
 */
export class Marks {
  private readonly holes: Hole[] = [];
  private readonly byDisplay = new Map<string, string>();

  /** A text that consists of one hole. The same display gives the same hole, so that equal values stay equal. */
  add(display: string, kind: HoleKind): string {
    const key = `${kind} ${display}`;
    const known = this.byDisplay.get(key);
    if (known !== undefined) return known;
    // The last one is shared by all that are too many.
    if (this.holes.length < holesMax) this.holes.push({ display, kind });
    const mark = String.fromCharCode(firstMark + this.holes.length - 1);
    this.byDisplay.set(key, mark);
    return mark;
  }

  /** The text for people, with each hole as it is written in the command line. */
  show(text: string): string {
    return isKnown(text) ? text : text.replace(markPattern, (mark) => this.holeOf(mark).display);
  }

  word(text: string, plural: boolean): Word {
    if (isKnown(text)) return { text, certain: true, plural: false, known: [text] };
    return { text: this.show(text), certain: false, plural, known: text.split(markPattern) };
  }

  /** Whether all holes are of this kind. */
  areAll(text: string, kind: HoleKind): boolean {
    return (text.match(markPattern) ?? []).every((mark) => this.holeOf(mark).kind === kind);
  }

  /** Whether a hole might hold the syntax of a shell. */
  isWild(text: string): boolean {
    return !isKnown(text) && (text.match(markPattern) ?? []).some((mark) => this.holeOf(mark).kind === 'wild');
  }

  private holeOf(mark: string): Hole {
    if (mark === tameHole) return { display: '…', kind: 'tame' };
    return this.holes[mark.charCodeAt(0) - firstMark] ?? { display: '…', kind: 'wild' };
  }
}

/** Holes for what is not known at all. */
export const wildHole = '\uf8fe';

export const tameHole = '\uf8ff';

/**
 * What a hole may hold. `tame`: some words, such as the value of a variable of the environment or what `date` prints. `wild`: anything,
 * such as what is downloaded. `glob`: the names of files.
 */
export type HoleKind = 'tame' | 'wild' | 'glob';

export function isKnown(text: string): boolean {
  return !anyMark.test(text);
}

/** The kind of a hole that stands for any of these texts: tame where none of them holds the syntax of a shell. */
export function kindOfAny(texts: readonly string[], marks: Marks): HoleKind {
  return texts.every((text) => (isKnown(text) ? /^[\w./:@%+=, -]*$/.test(text) : !marks.isWild(text))) ? 'tame' : 'wild';
}

/** Takes out of a foreign text what would be read as a hole. */
export function withoutMarks(text: string): string {
  return isKnown(text) ? text : text.replace(markPattern, '\ufffd');
}

interface Hole {
  readonly display: string;
  readonly kind: HoleKind;
}

const firstMark = 0xe000;

const holesMax = 6000;

const markPattern = /[\ue000-\uf8ff]/g;

const anyMark = /[\ue000-\uf8ff]/;
