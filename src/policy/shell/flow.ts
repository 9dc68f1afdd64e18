import { tameHole, wildHole } from './marks.ts';

/** What a command prints, or reads: the text, perhaps with holes (`Marks`), or null where nothing of it is known. */
export interface Flow {
  readonly text: string | null;
  /** It is not known and might hold the syntax of a shell; false for what `date` or `pwd` print. */
  readonly wild: boolean;
}

/** Of a command that prints nothing, or reads from nowhere. */
export const silence: Flow = Object.freeze({ text: '', wild: false });

/** Of a command that could print anything. */
export const anything: Flow = Object.freeze({ text: null, wild: true });

/** Of a command that prints plain words or numbers that are not known. */
export const plainWords: Flow = Object.freeze({ text: null, wild: false });

export function flowOf(text: string): Flow {
  return text === '' ? silence : text.length > flowCharsMax ? anything : { text, wild: false };
}

/** What two commands print one after the other. */
export function concat(first: Flow, second: Flow): Flow {
  if (first === silence) return second;
  if (second === silence) return first;
  return flowOf(textWithHoles(first) + textWithHoles(second));
}

function textWithHoles({ text, wild }: Flow): string {
  return text ?? (wild ? wildHole : tameHole);
}

/** Beyond it a text is as good as unknown. */
export const flowCharsMax = 65_536;
