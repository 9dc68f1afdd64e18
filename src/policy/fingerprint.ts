import canonicalize from 'canonicalize';
import { isJsonList, isJsonObject, type Json } from './json.ts';
import { normalText } from './normal-text.ts';
import { sha256Hex } from './sha256.ts';

/**
 * The same for what is the same to a person: the order of members, the form of numbers and letters (Unicode NFC) and characters
 * that nobody sees make no difference; blanks, letter case, types and the order of lists do. A SHA-256 in hexadecimal digits.
 */
export function fingerprint(value: Json): string {
  return sha256Hex(canonicalize(normal(value)) ?? '');
}

function normal(value: Json): Json {
  // Half a surrogate pair, as a cut emoji leaves it, has no canonical form.
  if (typeof value === 'string') return normalText(value, 'NFC').toWellFormed();
  if (isJsonList(value)) return value.map(normal);
  if (!isJsonObject(value)) return value;
  const merged = new Map<string, Json>();
  for (const [key, member] of Object.entries(value)) {
    const known = normalText(key, 'NFC').toWellFormed();
    // Where two keys become one, both members count.
    merged.set(known, merged.has(known) ? [merged.get(known) ?? null, normal(member)] : normal(member));
  }
  return Object.fromEntries(merged);
}
