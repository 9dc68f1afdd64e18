import { bound } from './too-much-to-search.ts';

/** Where in a text a number would stand that one of the words names: `SSN: 123…`, `phone number is (555) …`, `123… (SSN)`. */
export interface NamedPlaces {
  readonly starts: ReadonlySet<number>;
  readonly ends: ReadonlySet<number>;
}

/** `words` is global. Throws `TooMuchToSearch` where there are too many. */
export function namedPlaces(text: string, words: RegExp): NamedPlaces {
  const starts = new Set<number>();
  const ends = new Set<number>();
  for (const { 0: word, index } of text.matchAll(words)) {
    bound(starts.size, placesMax);
    const end = index + word.length;
    starts.add(end + (connectivesAfter.exec(text.slice(end, end + reachChars))?.[0].length ?? 0));
    ends.add(index - (connectivesBefore.exec(text.slice(Math.max(0, index - reachChars), index))?.[0].length ?? 0));
  }
  return { starts, ends };
}

export function isNamed({ start, end }: { readonly start: number; readonly end: number }, places: NamedPlaces): boolean {
  return places.starts.has(start) || places.ends.has(end);
}

const placesMax = 10_000;

const reachChars = 40;

const connectivesAfter = /^(?:[\s:=#"'()[\]{},.<>*_`|+-]|\b(?:is|was|are|at|on|number|num|nr|no|my|his|her|their|the|value|id|field)\b){1,20}/i;

const connectivesBefore = /(?:[\s:=#"'()[\]{},.<>*_`|-]|\b(?:is|was|are|my|his|her|their|the|as|a)\b){1,20}$/i;
