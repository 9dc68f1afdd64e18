import { isJsonList, isJsonObject, type Json } from '../json.ts';

/**
 * Whether both are the same JSON: numbers by value, members in any order. With `fingerprints`, a placeholder such as `<h1>` in
 * `wanted` stands for any text, the same one wherever it stands, and another one than every other placeholder.
 */
export function isSameJson(wanted: Json, got: Json, fingerprints: Map<string, string> | null = null): boolean {
  if (typeof wanted === 'string') return typeof got === 'string' && (wanted === got || (fingerprints !== null && fits(wanted, got, fingerprints)));
  if (isJsonList(wanted)) {
    return isJsonList(got) && wanted.length === got.length && wanted.every((item, index) => isSameJson(item, got[index] ?? null, fingerprints));
  }
  if (isJsonObject(wanted)) {
    if (!isJsonObject(got) || Object.keys(wanted).length !== Object.keys(got).length) return false;
    return Object.entries(wanted).every(([key, member]) => Object.hasOwn(got, key) && isSameJson(member, got[key] ?? null, fingerprints));
  }
  return wanted === got;
}

function fits(wanted: string, got: string, fingerprints: Map<string, string>): boolean {
  const [before, placeholder, after] = wanted.split(/(<h\d+>)/);
  if (before === undefined || placeholder === undefined || after === undefined) return false;
  if (got.length <= before.length + after.length || !got.startsWith(before) || !got.endsWith(after)) return false;
  const fingerprint = got.slice(before.length, got.length - after.length);
  const known = fingerprints.get(placeholder);
  if (known !== undefined) return known === fingerprint;
  if ([...fingerprints.values()].includes(fingerprint)) return false;
  fingerprints.set(placeholder, fingerprint);
  return true;
}
