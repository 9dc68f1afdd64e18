import { isJsonList, type JsonObject } from '../../json.ts';

/** The texts of a list in the state. What is no list counts as empty, what is no text is left out. */
export function storedTexts(state: JsonObject, key: string): ReadonlySet<string> {
  const stored = Object.hasOwn(state, key) ? state[key] : undefined;
  return new Set(isJsonList(stored) ? stored.filter((item) => typeof item === 'string') : []);
}
