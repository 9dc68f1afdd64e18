/** Fewer digits never make a whole number that a double cannot hold. */
const manyDigits = /\d{16}/;

/**
 * `JSON.parse`, but for whole numbers that would not come back as they went in: JavaScript makes 9007199254740993 into …992, so that a person
 * would approve another number than the agent uses. They become infinite, which is refused wherever a number is taken, with its place.
 * Throws a `SyntaxError`.
 */
export function parseJson(text: string): unknown {
  return manyDigits.test(text) ? (JSON.parse(text, markInexact as (key: string, value: unknown) => unknown) as unknown) : (JSON.parse(text) as unknown);
}

/** The same JSON text with such numbers as a number that is infinite for every parser. */
export function markedJson(text: string): string {
  if (!manyDigits.test(text)) return text;
  try {
    return JSON.stringify(parseJson(text), (_key, value: unknown) => (value === Infinity ? json.rawJSON('1e999') : value));
  } catch {
    return text; // whoever parses it says what is wrong with it
  }
}

/** Of ECMAScript's "JSON.parse source text access", which TypeScript's library does not have yet. */
const json = JSON as JSON & { rawJSON: (text: string) => unknown };

function markInexact(_key: string, value: unknown, { source }: { source?: string }): unknown {
  return typeof value === 'number' && source !== undefined && /^-?\d+$/.test(source) && BigInt(source) !== BigInt(value) ? Infinity : value;
}
