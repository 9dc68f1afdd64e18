import type { Field } from '../machine.ts';
import { isKnown } from '../marks.ts';

/** What is known of the options of a program. */
export interface OptionSpec {
  /** Options that take a value. */
  readonly valued: ReadonlySet<string>;
  /** Options that take none; where given, all others take one. */
  readonly flags: ReadonlySet<string> | null;
  /** Options that may have a value, which then stands at once behind them: `-i.bak`. */
  readonly attached: ReadonlySet<string>;
  /** Options may stand behind operands. */
  readonly permutes: boolean;
}

/** `options('-u --user')`: these take a value. */
export function options(valued: string, settings: { flags?: string; attached?: string; permutes?: boolean } = {}): OptionSpec {
  return { valued: names(valued), flags: settings.flags === undefined ? null : names(settings.flags), attached: names(settings.attached ?? ''), permutes: settings.permutes ?? false };
}

export interface Option {
  readonly name: string;
  /** Null: it has none. */
  readonly value: Field | null;
}

export interface Scanned {
  readonly options: readonly Option[];
  /** What is no option; from the first such word on, unless the program permutes. */
  readonly operands: readonly Field[];
  /** How many operands stood before `--`; null without one. */
  readonly before: number | null;
}

export function scanOptions(args: readonly Field[], spec: OptionSpec): Scanned {
  const found: Option[] = [];
  const operands: Field[] = [];
  let before: number | null = null;
  let at = 0;
  while (at < args.length) {
    const arg = args[at] ?? { text: '', plural: false };
    at += 1;
    if (arg.text === '--') {
      before = operands.length;
      operands.push(...args.slice(at));
      break;
    }
    if (!/^-[^-\s]|^--\S/.test(arg.text)) {
      operands.push(arg);
      if (spec.permutes) continue;
      operands.push(...args.slice(at));
      break;
    }
    at += arg.text.startsWith('--') ? readLong(arg, args[at], { spec, found }) : readBundle(arg, args[at], { spec, found });
  }
  return { options: found, operands, before };
}

/** The values of an option under any of its names. */
export function valuesOf({ options: found }: Scanned, spelled: string): readonly Field[] {
  if (found.length === 0 || spelled === '') return [];
  const wanted = spelled.split(' ');
  return found.flatMap(({ name, value }) => (value && wanted.some((want) => isSpelled(name, want)) ? [value] : []));
}

export function hasOption({ options: found }: Scanned, spelled: string): boolean {
  const wanted = spelled.split(' ');
  return found.some(({ name }) => wanted.some((want) => isSpelled(name, want)));
}

interface Reading {
  readonly spec: OptionSpec;
  readonly found: Option[];
}

/** Gives how many of the next words it took. */
function readLong({ text, plural }: Field, next: Field | undefined, { spec, found }: Reading): number {
  const equals = text.indexOf('=');
  if (equals > 0) {
    found.push({ name: text.slice(0, equals), value: { text: text.slice(equals + 1), plural } });
    return 0;
  }
  const takes = takesValue(text, spec) && next !== undefined;
  found.push({ name: text, value: takes ? next : null });
  return takes ? 1 : 0;
}

function readBundle({ text, plural }: Field, next: Field | undefined, { spec, found }: Reading): number {
  if (text.length > 2 && spec.valued.has(text)) {
    found.push({ name: text, value: next ?? null });
    return 1;
  }
  // `-chdir=x`, as Go's programs take them.
  const equals = text.indexOf('=');
  if (equals > 2 && isKnown(text.slice(0, equals))) found.push({ name: `-${text.slice(0, equals)}`, value: { text: text.slice(equals + 1), plural } });
  for (let at = 1; at < text.length; at += 1) {
    const name = `-${text.charAt(at)}`;
    if (spec.attached.has(name)) {
      found.push({ name, value: at + 1 < text.length ? { text: text.slice(at + 1), plural } : null });
      return 0;
    }
    if (!takesValue(name, spec)) {
      found.push({ name, value: null });
      continue;
    }
    const attached = text.slice(at + 1);
    if (attached !== '') {
      found.push({ name, value: { text: attached, plural } });
      return 0;
    }
    found.push({ name, value: next ?? null });
    return next ? 1 : 0;
  }
  return 0;
}

function takesValue(name: string, { valued, flags }: OptionSpec): boolean {
  if (valued.has(name)) return true;
  if (flags) return !flags.has(name);
  return name.startsWith('--') && [...valued].some((known) => isSpelled(name, known));
}

/** GNU programs take every beginning of a long option that is long enough to be told from others. */
function isSpelled(name: string, option: string): boolean {
  return name === option || (name.length > 3 && option.startsWith(name) && option.startsWith('--') && !whole.has(name));
}

/** Options of their own that are the beginning of another. */
const whole = new Set(['--login', '--start', '--user', '--output', '--data', '--config', '--exec', '--include', '--file', '--print', '--name']);

function names(spelled: string): ReadonlySet<string> {
  return new Set(spelled.split(' ').filter((name) => name !== ''));
}
