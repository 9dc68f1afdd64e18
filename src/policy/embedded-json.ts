import type { Json } from './json.ts';

/** The JSON that a text is. Undefined: it is none, or it is nested so deep that nothing which means something is. */
export function embeddedJson(text: string): Json | undefined {
  if (isNestedTooDeep(text)) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** Brackets in strings count as well: what matters is that a parser never meets a million open ones, which costs it half a second. */
export function isNestedTooDeep(text: string): boolean {
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    depth += bracketSteps[text.charCodeAt(index)] ?? 0;
    if (depth > depthMax) return true;
  }
  return false;
}

/** By character code; `[` and `{` are the only ones that go down. */
const bracketSteps: readonly (number | undefined)[] = Object.assign(Array<number>(128).fill(0), { 0x5b: 1, 0x7b: 1, 0x5d: -1, 0x7d: -1 });

const depthMax = 1000;
