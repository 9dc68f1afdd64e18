import { frozenCopy } from './frozen-json.ts';
import { isJsonObject, type Json, type JsonObject } from './json.ts';
import { labelKeyCharsMax, labelValueCharsMax } from './labels.ts';
import { silenceStrayPromise } from './stray-promise.ts';
import type { Effects, Opinion, StateUpdate } from './verdict.ts';

/**
 * What a judge returned, checked and copied. Custom handlers are JavaScript, so the types promise nothing here. Throws a
 * TypeError on any other shape; a promise and `undefined` are such shapes, because a missing `return` must not allow.
 */
export function readOpinion(value: unknown): Opinion {
  silenceStrayPromise(value);
  const opinion = members(value, 'An opinion');
  const kind = opinion['kind'];
  switch (kind) {
    case 'abstain':
      return { kind };
    case 'allow':
      return { kind, ...readData(opinion), ...readEffects(opinion) };
    case 'deny':
      return { kind, reason: text(opinion['reason'], 'The reason of a denial'), ...readEffects(opinion) };
    case 'ask':
      return {
        kind,
        reason: text(opinion['reason'], 'The reason of an ask'),
        ...readData(opinion),
        ...readAskOptions(opinion),
        ...readEffects(opinion),
      };
    default:
      throw new TypeError('The kind of an opinion is abstain, allow, deny or ask.');
  }
}

type Members = Readonly<Record<string, unknown>>;

function readData({ data }: Members): { data?: Json } {
  return data === undefined || data === null ? {} : { data: frozenCopy(data) };
}

function readAskOptions({ checkpoint, requestedSchema }: Members): { checkpoint?: string; requestedSchema?: JsonObject } {
  const options: { checkpoint?: string; requestedSchema?: JsonObject } = {};
  if (checkpoint !== undefined && checkpoint !== null) options.checkpoint = text(checkpoint, 'A checkpoint');
  if (requestedSchema !== undefined && requestedSchema !== null) {
    const schema = frozenCopy(requestedSchema);
    if (!isJsonObject(schema)) throw new TypeError('A requested schema is an object.');
    options.requestedSchema = schema;
  }
  return options;
}

function readEffects({ stateUpdates, setLabels }: Members): Effects {
  const effects: { stateUpdates?: readonly StateUpdate[]; setLabels?: Readonly<Record<string, string>> } = {};
  if (stateUpdates !== undefined && stateUpdates !== null) {
    if (!Array.isArray(stateUpdates)) throw new TypeError('State updates are a list.');
    effects.stateUpdates = Array.from(stateUpdates, readStateUpdate);
  }
  if (setLabels !== undefined && setLabels !== null) effects.setLabels = readLabels(setLabels);
  return effects;
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

/** Own members, each read once. */
function members(value: unknown, what: string): Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new TypeError(`${what} is an object.`);
  return { ...value };
}

function text(value: unknown, what: string): string {
  if (typeof value !== 'string') throw new TypeError(`${what} is a text.`);
  return value;
}

/** Counts code points, as the database columns do. */
function isLonger(value: string, charsMax: number): boolean {
  return value.length > charsMax && Array.from(value).length > charsMax;
}
