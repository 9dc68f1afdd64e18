export type Json = string | number | boolean | null | readonly Json[] | { readonly [member: string]: Json };
export type JsonObject = Readonly<Record<string, Json>>;

/**
 * A copy of a value that JSON can carry without loss: what a person is shown is then what the tool gets. Members that are undefined are
 * left out. Throws a TypeError that names the place of anything else, such as a Date, a function, a bigint, or an object within itself.
 */
export function jsonCopy(value: unknown, place: string, around: readonly unknown[] = []): Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (typeof value === 'object' && !around.includes(value)) {
    const within = [...around, value];
    if (Array.isArray(value)) return value.map((item, index) => jsonCopy(item, `${place}[${index}]`, within));
    if (isPlain(value)) {
      const members = Object.entries(value).filter(([, member]) => member !== undefined);
      return Object.fromEntries(members.map(([name, member]) => [name, jsonCopy(member, `${place}.${name}`, within)]));
    }
  }
  throw new TypeError(`${place} is ${nameOf(value, around)}, which JSON cannot carry: a person could not see what the tool would get. Pass plain objects, lists, texts, finite numbers, booleans and null.`);
}

function nameOf(value: unknown, around: readonly unknown[]): string {
  if (value === undefined || typeof value === 'number') return String(value);
  if (typeof value !== 'object' || value === null) return `a ${typeof value}`;
  if (around.includes(value)) return 'an object that is within itself';
  return `of class ${(value.constructor as { name?: string } | undefined)?.name ?? 'unknown'}`;
}

/** The same text for the same value, whatever the order of members: RFC 8785's order, JSON.stringify's numbers and texts. */
export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
