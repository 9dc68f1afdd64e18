import { frozenCopy } from './frozen-json.ts';
import { isJsonObject, type Json } from './json.ts';
import { labelKeyCharsMax, labelValueCharsMax } from './labels.ts';
import { silenceStrayPromise } from './stray-promise.ts';
import type { AskOptions, Effects, Opinion, StateUpdate } from './verdict.ts';

/**
 * What a judge returned, checked and copied. Custom handlers are JavaScript, so the types promise nothing here. Throws a
 * TypeError on any other shape; a promise and `undefined` are such shapes, because a missing `return` must not allow.
 */
export function readOpinion(value: unknown): Opinion {
  silenceStrayPromise(value);
  const opinion = members(value, 'An opinion');
  const { kind } = opinion;
  switch (kind) {
    case 'abstain':
      return { kind };
    case 'allow': {
      const read: Read<'allow'> = { kind };
      return withRewriting(read, opinion);
    }
    case 'deny': {
      const read: Read<'deny'> = { kind, reason: text(opinion['reason'], 'The reason of a denial') };
      return withEffects(read, opinion);
    }
    case 'ask': {
      const read: Read<'ask'> = { kind, reason: text(opinion['reason'], 'The reason of an ask') };
      return withRewriting(withForm(read, opinion), opinion);
    }
    default:
      throw new TypeError('The kind of an opinion is abstain, allow, deny or ask.');
  }
}

/** Any object, of which each member is read once. */
interface Members {
  readonly [key: string]: unknown;
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/** An opinion being read. */
type Read<Kind> = Writable<Extract<Opinion, { kind: Kind }>>;

function withRewriting<T extends Writable<Effects> & { data?: Json }>(read: T, opinion: Members): T {
  const { data } = opinion;
  if (data !== undefined && data !== null) read.data = frozenCopy(data);
  return withEffects(read, opinion);
}

function withForm<T extends Writable<AskOptions>>(read: T, { checkpoint, requestedSchema }: Members): T {
  if (checkpoint !== undefined && checkpoint !== null) read.checkpoint = storable(text(checkpoint, 'A checkpoint'), 'A checkpoint');
  if (requestedSchema !== undefined && requestedSchema !== null) {
    const schema = frozenCopy(requestedSchema);
    if (!isJsonObject(schema)) throw new TypeError('A requested schema is an object.');
    read.requestedSchema = schema;
  }
  return read;
}

function withEffects<T extends Writable<Effects>>(read: T, { stateUpdates, setLabels }: Members): T {
  if (stateUpdates !== undefined && stateUpdates !== null) {
    if (!Array.isArray(stateUpdates)) throw new TypeError('State updates are a list.');
    const updates: StateUpdate[] = [];
    for (const update of stateUpdates as readonly unknown[]) updates.push(readStateUpdate(update));
    read.stateUpdates = updates;
  }
  if (setLabels !== undefined && setLabels !== null) read.setLabels = readLabels(setLabels);
  return read;
}

function readStateUpdate(update: unknown): StateUpdate {
  const { key, action, value } = members(update, 'A state update');
  if (typeof key !== 'string' || key === '') throw new TypeError('A state update needs a key.');
  switch (action) {
    case 'set':
    case 'append':
      return { key, action, value: frozenCopy(value) };
    case 'increment':
      if (typeof value !== 'number' || !Number.isFinite(value)) throw new TypeError(`State "${key}" can only be incremented by a number.`);
      return { key, action, value };
    case 'delete':
      return { key, action };
    default:
      throw new TypeError('The action of a state update is set, increment, append or delete.');
  }
}

function readLabels(value: unknown): Readonly<Record<string, string>> {
  const labels = Object.entries(members(value, 'Labels')).map(([key, label]): [string, string] => {
    const known = text(label, `The value of label "${key}"`);
    if (key === '' || isLonger(key, labelKeyCharsMax)) throw new TypeError(`A label key has 1 to ${labelKeyCharsMax} characters.`);
    if (isLonger(known, labelValueCharsMax)) throw new TypeError(`A label value has at most ${labelValueCharsMax} characters.`);
    return [key, known];
  });
  return Object.fromEntries(labels);
}

function members(value: unknown, what: string): Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new TypeError(`${what} is an object.`);
  return value as Members;
}

function text(value: unknown, what: string): string {
  if (typeof value !== 'string') throw new TypeError(`${what} is a text.`);
  return value;
}

/** Not every database keeps a text with NUL in it, and none must keep another text than was given. */
function storable(value: string, what: string): string {
  if (value.includes('\0') || !value.isWellFormed()) throw new TypeError(`${what} has no NUL and no unpaired surrogate.`);
  return value;
}

/** Counts code points, as the database columns do. */
function isLonger(value: string, charsMax: number): boolean {
  return value.length > charsMax && Array.from(value).length > charsMax;
}
