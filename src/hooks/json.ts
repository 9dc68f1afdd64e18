import type { Json, JsonObject } from '../sdk/json.ts';

/** Of parsed JSON: an object and no list. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The first of these fields that is a text and not empty; null: none is. */
export function textIn(object: JsonObject, ...fields: readonly string[]): string | null {
  for (const field of fields) {
    const value = object[field];
    if (typeof value === 'string' && value !== '') return value;
  }
  return null;
}

/** The field's object, also where a host sends it as JSON text; null: it is neither. */
export function objectIn(object: JsonObject, field: string): JsonObject | null {
  const value = object[field];
  if (typeof value !== 'string') return isObject(value) ? value : null;
  return parsedObject(value);
}

/** The JSON object that a text is; null: it is none. */
export function parsedObject(text: string): JsonObject | null {
  try {
    const parsed = JSON.parse(text) as Json;
    return isObject(parsed) ? parsed : null;
  } catch {
    return null;
  }
}
