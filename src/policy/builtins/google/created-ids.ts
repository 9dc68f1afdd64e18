import { embeddedJson } from '../../embedded-json.ts';
import { isJsonList, isJsonObject, type Json, type JsonObject } from '../../json.ts';
import { toolKey } from '../../tool-name.ts';

/**
 * The ids of what a call created, sorted: those under one of `fields` on the topmost level of its result that has any. Deeper ones
 * and those of parents, templates, owners and the like name something else, and a result that tells of an error created nothing.
 */
export function createdIds(result: Json, fields: ReadonlySet<string>): readonly string[] {
  let level: readonly Json[] = [result];
  for (let depth = 0; depth < depthMax && level.length > 0 && level.length <= breadthMax; depth += 1) {
    const objects = level.flatMap(structures);
    if (objects.some(tellsOfAnError)) return [];
    const ids = objects.flatMap((object) => idsIn(object, fields));
    if (ids.length > 0) return [...new Set(ids)].sort().slice(0, idsMax);
    level = objects.flatMap(inside);
  }
  return [];
}

/** As in the reference: what lies deeper is not granted. */
const depthMax = 20;

/** A create call answers with little; a flood is no answer of one. */
const breadthMax = 10_000;

const idsMax = 100;

/** A list's items count as being on its level, JSON as what it says. */
function structures(value: Json): readonly JsonObject[] {
  if (typeof value === 'string') return structures(parsed(value));
  if (isJsonList(value)) return value.filter(isJsonObject);
  return isJsonObject(value) ? [value] : [];
}

function parsed(text: string): Json {
  return /^\s*[[{]/.test(text) ? (embeddedJson(text) ?? null) : null;
}

function idsIn(object: JsonObject, fields: ReadonlySet<string>): readonly string[] {
  return Object.entries(object).flatMap(([key, value]) => (fields.has(key) && typeof value === 'string' && value.trim() !== '' ? [value.trim()] : []));
}

function inside(object: JsonObject): readonly Json[] {
  return Object.entries(object).flatMap(([key, value]) => (elsewhere.has(toolKey(key)) ? [] : [value]));
}

/** What these hold, the call did not create. */
const elsewhere: ReadonlySet<string> = new Set(
  [
    ...['parent', 'parents', 'folder', 'folders', 'drive', 'team_drive', 'template', 'templates', 'source', 'source_file', 'copied_from', 'original'],
    ...['owner', 'owners', 'user', 'users', 'creator', 'author', 'last_modifying_user', 'sharing_user', 'trashing_user', 'permissions', 'permission'],
    ...['message', 'messages', 'thread', 'threads', 'comments', 'replies', 'revisions', 'labels', 'label_info', 'shortcut_details', 'capabilities', 'related', 'similar'],
  ].map(toolKey),
);

function tellsOfAnError(object: JsonObject): boolean {
  const { error, errors, isError } = object;
  return Boolean(error) || isError === true || (isJsonList(errors) ? errors.length > 0 : Boolean(errors));
}
