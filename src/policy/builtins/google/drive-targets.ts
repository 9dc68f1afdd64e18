import { isJsonList, isJsonObject, type Json, type JsonObject } from '../../json.ts';
import { toolKey } from '../../tool-name.ts';
import { readFileReference } from './file-reference.ts';

/** The files that a call of a Drive tool is about. */
export interface DriveTargets {
  /** Whether the call names files, and each of them is one of these: beyond doubt, and in every argument that names files. */
  areWithin(...files: readonly ReadonlySet<string>[]): boolean;
  /** Whether one of these could be meant by any argument but a text for people. */
  mayTouch(files: ReadonlySet<string>): boolean;
}

export function driveTargets(args: JsonObject): DriveTargets {
  const named = namedFiles(args);
  const isNamed = namingArguments.some((key) => typeof args[key] === 'string');
  return {
    areWithin: (...files) => isNamed && named.every((text) => isOneOf(readFileReference(text).certain, files)),
    mayTouch: (files) => files.size > 0 && anyReference(args).some((text) => readFileReference(text).possible.some((id) => files.has(id))),
  };
}

/** At least one of these names what the call is about. */
const namingArguments = ['document_id', 'file_id', 'spreadsheet_id', 'presentation_id'];

function isOneOf(id: string | null, sets: readonly ReadonlySet<string>[]): boolean {
  return id !== null && sets.some((files) => files.has(id));
}

/** The texts of all arguments that are named like a file's id, at any depth: `fileId`, `document_ids[]`, `destinationSpreadsheetId`. */
function namedFiles(args: JsonObject): readonly string[] {
  const texts: string[] = [];
  walk(args, ({ text, keys }) => {
    if (keys.some((key) => /(?:document|(?<!pro)file|spreadsheet|presentation)ids?$/.test(key))) texts.push(text);
  });
  return texts;
}

function anyReference(args: JsonObject): readonly string[] {
  const texts: string[] = [];
  walk(args, ({ text, keys }) => {
    if (!keys.some((key) => textKeys.has(key))) texts.push(...(/^[\w-]+(?:[,;\s]+[\w-]+)+$/.test(text) && text.length < 1000 ? text.split(/[,;\s]+/) : [text]));
  });
  return texts;
}

/** What people write and search for: an id there reads nothing. */
const textKeys: ReadonlySet<string> = new Set(
  ['q', 'query', 'search', 'title', 'name', 'description', 'text', 'content', 'body', 'markdown', 'comment', 'fields', 'mime_type', 'range', 'ranges'].map(toolKey),
);

/** Every text in the arguments, with the keys (`toolKey`s) on the way to it. Without recursion: the depth is the caller's choice. */
function walk(args: JsonObject, visit: (found: { text: string; keys: readonly string[] }) => void): void {
  const pending: { value: Json; keys: readonly string[] }[] = [{ value: args, keys: [] }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { value, keys } = next;
    if (typeof value === 'string') visit({ text: value, keys });
    else if (isJsonList(value)) for (const item of value) pending.push({ value: item, keys });
    // The last two keys tell; longer ways would cost as much as they are deep.
    else if (isJsonObject(value)) for (const [key, member] of Object.entries(value)) pending.push({ value: member, keys: [...keys.slice(-1), keyOf(key)] });
  }
}

function keyOf(key: string): string {
  return key.length > 60 ? '' : toolKey(key);
}
