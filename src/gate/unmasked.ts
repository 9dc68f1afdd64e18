import { isDeepStrictEqual } from 'node:util';
import { isJsonList, isJsonObject, type Json } from '../policy/json.ts';
import { maskMark } from './masking.ts';

export type Unmasked = { readonly kind: 'unmasked'; readonly value: Json } | { readonly kind: 'unknown'; readonly path: readonly string[]; readonly why: string };

interface Known {
  /** What was seen. Undefined: nothing is known of this place. */
  readonly masked: Json | undefined;
  readonly original: Json | undefined;
}

/**
 * What was made of a value that was seen masked, such as an approver's edit: a mark that still stands where it was seen means what it hides.
 * `original`: undefined where the server has it no more; then what has no mark is all that can be understood.
 */
export function unmasked(edited: Json, known: Known): Unmasked {
  try {
    return { kind: 'unmasked', value: unmask(edited, known, []) };
  } catch (error) {
    if (error instanceof UnknownPlace) return { kind: 'unknown', path: error.path, why: error.message };
    throw error;
  }
}

/** A mark that stands for nothing that is known. */
class UnknownPlace extends Error {
  readonly path: readonly string[];

  constructor(path: readonly string[], why: string) {
    super(why);
    this.path = path;
  }
}

function unmask(edited: Json, { masked, original }: Known, path: readonly string[]): Json {
  if (original !== undefined && isDeepStrictEqual(plain(edited), plain(masked))) return original;
  if (typeof edited === 'string') return edited.includes(maskMark) ? unmaskedText(edited, { masked, original }, path) : edited;
  if (isJsonList(edited)) {
    const below = (index: number): Known => ({ masked: isJsonList(masked) ? masked[index] : undefined, original: isJsonList(original) ? original[index] : undefined });
    return edited.map((item, index) => unmask(item, below(index), [...path, String(index)]));
  }
  if (!isJsonObject(edited)) return edited;
  const keys = originalKeys(masked, original);
  return Object.fromEntries(
    Object.entries(edited).map(([key, member]) => {
      const real = keys.get(key) ?? key;
      if (real === key && key.includes(maskMark) && memberOf(original, key) === undefined) throw new UnknownPlace([...path, key], 'has a masked key where none was shown, or where the server has nothing to put');
      return [real, unmask(member, { masked: memberOf(masked, key), original: memberOf(original, real) }, [...path, key])];
    }),
  );
}

/** Masked key → real key. Masking keeps the order of members. */
function originalKeys(masked: Json | undefined, original: Json | undefined): ReadonlyMap<string, string> {
  if (!isJsonObject(masked) || !isJsonObject(original)) return new Map();
  const real = Object.keys(original);
  const pairs = Object.keys(masked).map((key, index) => [key, real[index] ?? key] as const);
  return new Map(pairs.every(([key, other]) => key === other || key.includes(maskMark)) ? pairs : []);
}

/** The text around the mark may be edited, as long as there is one mark only: of two nobody could tell which is which. */
function unmaskedText(edited: string, { masked, original }: Known, path: readonly string[]): string {
  if (original === undefined) throw new UnknownPlace(path, 'has a mark where the server has nothing to put: give the real value, or decide without an edit');
  if (typeof masked !== 'string' || typeof original !== 'string') throw new UnknownPlace(path, 'has a mark where none was shown');
  const [before = '', after, ...more] = masked.split(maskMark);
  if (after === undefined) throw new UnknownPlace(path, 'has a mark where none was shown');
  const isOne = more.length === 0 && edited.split(maskMark).length === 2 && original.length > before.length + after.length && original.startsWith(before) && original.endsWith(after);
  if (!isOne) throw new UnknownPlace(path, 'has several masked parts: leave the text as it is, or give all of it anew');
  return edited.split(maskMark).join(original.slice(before.length, original.length - after.length));
}

function memberOf(value: Json | undefined, key: string): Json | undefined {
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** GraphQL's objects have no prototype. */
function plain(value: Json | undefined): unknown {
  return value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as unknown);
}
