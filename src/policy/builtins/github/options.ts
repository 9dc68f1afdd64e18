import type { Word } from '../../shell/command-line.ts';

/** How a program reads its options. */
export interface OptionTable {
  /** Letters whose option takes a value, attached or as the next word. */
  readonly shortValues: string;
  /** Long options, without dashes, that take a value: after `=` or as the next word. */
  readonly longValues: ReadonlySet<string>;
  /** Long options that take none, or one after `=` only. */
  readonly longFlags: ReadonlySet<string>;
  /** Whether the beginning of a long option stands for it, as in git and curl. */
  readonly abbreviates: boolean;
}

export interface Option {
  /** `-f`, or the whole long name: `--force`. */
  readonly name: string;
  /** Null: given without a value. */
  readonly value: Word | null;
}

export interface ReadOptions {
  readonly options: readonly Option[];
  readonly operands: readonly Word[];
  /**
   * Words behind a long option that the table does not know: its values, or operands. Also among the operands.
   */
  readonly ambiguous: ReadonlySet<Word>;
}

/** Takes options and operands apart, wherever they stand; after `--` all are operands. A word that may be either is an operand. */
export function readOptions(words: readonly Word[], table: OptionTable): ReadOptions {
  const options: Option[] = [];
  const operands: Word[] = [];
  const ambiguous = new Set<Word>();
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (!word) continue;
    const known = word.known[0] ?? '';
    if (word.certain && word.text === '--') {
      operands.push(...words.slice(at + 1));
      break;
    }
    if (known.startsWith('--') && (word.certain || known.includes('='))) {
      const equals = known.indexOf('=');
      const given = known.slice(2, equals < 0 ? undefined : equals);
      const value = equals < 0 ? null : tailOf(word, equals + 1);
      const names = longNames(given, table);
      const takesNext = value === null && names.some((name) => table.longValues.has(name));
      const next = takesNext ? (words[at + 1] ?? null) : null;
      for (const name of names) options.push({ name: `--${name}`, value: value ?? next });
      if (takesNext) at += 1;
      else if (value === null && !names.some((name) => table.longFlags.has(name))) {
        const follower = words[at + 1];
        if (follower) ambiguous.add(follower);
      }
    } else if (/^-[^-]/.test(known)) {
      const { bundle, takesNext, isOpen } = readBundle(word, table);
      const next = takesNext ? (words[at + 1] ?? null) : null;
      const last = bundle.at(-1);
      options.push(...bundle.slice(0, -1));
      if (last) options.push(takesNext ? { ...last, value: next } : last);
      if (takesNext) at += 1;
      if (isOpen) operands.push(word);
    } else {
      operands.push(word);
    }
    // What is many words may be more than the value.
    const taken = words[at];
    if (taken && taken !== word && taken.plural) operands.push(taken);
  }
  return { options, operands, ambiguous };
}

/** The values that were given to any of these options, in order; those without a value left out. */
export function valuesOf({ options }: ReadOptions, names: readonly string[]): readonly Word[] {
  return options.flatMap(({ name, value }) => (value && names.includes(name) ? [value] : []));
}

export function hasOption({ options }: ReadOptions, names: readonly string[]): boolean {
  return options.some(({ name }) => names.includes(name));
}

export function optionTable(shortValues: string, longValues: string, longFlags: string): OptionTable {
  return { shortValues, longValues: new Set(longValues.split(' ')), longFlags: new Set(longFlags.split(' ')), abbreviates: false };
}

/** The word behind its first characters, which must be known. */
export function tailOf(word: Word, start: number): Word {
  const [first = '', ...others] = word.known;
  return { ...word, text: word.text.slice(start), known: [first.slice(start), ...others] };
}

/** Every option that an abbreviation may stand for; a name that is whole stands for itself. */
function longNames(given: string, { longValues, longFlags, abbreviates }: OptionTable): readonly string[] {
  if (!abbreviates || given === '' || longValues.has(given) || longFlags.has(given)) return [given];
  const meant = [...longValues, ...longFlags].filter((name) => name.startsWith(given));
  return meant.length === 0 ? [given] : meant;
}

/** `-uf` is `-u -f`; the rest of a word behind an option with a value is that value. */
function readBundle(word: Word, { shortValues }: OptionTable): { bundle: readonly Option[]; takesNext: boolean; isOpen: boolean } {
  const known = word.known[0] ?? '';
  const bundle: Option[] = [];
  for (let at = 1; at < known.length; at += 1) {
    const letter = known.charAt(at);
    if (!shortValues.includes(letter)) {
      bundle.push({ name: `-${letter}`, value: null });
      continue;
    }
    const isLast = at === known.length - 1 && word.certain;
    const start = known.charAt(at + 1) === '=' ? at + 2 : at + 1;
    bundle.push({ name: `-${letter}`, value: isLast ? null : tailOf(word, start) });
    return { bundle, takesNext: isLast, isOpen: false };
  }
  return { bundle, takesNext: false, isOpen: !word.certain };
}
