import { z } from 'zod';
import type { Json } from '../policy/json.ts';
import { isReservedLabel } from '../policy/labels.ts';
import { invalidInput, type InputIssue, type InvalidInput } from './outcome.ts';

export type Parsed<T> = { readonly kind: 'parsed'; readonly value: T } | InvalidInput;

/** Reads an input once, at the edge of the gate. */
export function parse<S extends z.ZodType>(schema: S, input: unknown): Parsed<z.output<S>> {
  const result = schema.safeParse(input);
  return result.success ? { kind: 'parsed', value: result.data } : invalidInput(result.error.issues.map(toIssue));
}

function toIssue({ path, message }: { path: readonly PropertyKey[]; message: string }): InputIssue {
  return { path: path.map(String), message };
}

/** The fields that an update names: omitted ones are left out. */
export function given<T extends object>(fields: T): Given<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<T>;
}

type Given<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> };

/** Text that a database and a JSON reader keep as it is. */
const text = z.string().refine((value) => value.isWellFormed(), 'must not contain an unpaired surrogate').refine((value) => !value.includes('\0'), 'must not contain a NUL character');

/** A name: 1 to 256 characters once trimmed; `__` at its start is Countersign's own. */
export const name = text.trim().min(1, 'must not be blank').max(256, 'must have at most 256 characters').refine((value) => !value.startsWith('__'), 'must not begin with "__", which is reserved');

/** Free text of at most 4,096 characters. */
export const prose = text.max(4096, 'must have at most 4,096 characters');

/** One line for people or machines: 1 to 256 characters once trimmed. */
export const shortText = text.trim().min(1, 'must not be blank').max(256, 'must have at most 256 characters');

export const askTimeoutSeconds = z.number().int().min(1, 'must be at least 1 second').max(31_536_000, 'must be at most a year, 31,536,000 seconds');

export const labelKey = text.trim().min(1, 'must not be blank').max(128, 'must have at most 128 characters').refine((key) => !isReservedLabel(key), 'is reserved for the server');

export const labelValue = text.max(256, 'must have at most 256 characters');

const jsonBytesMax = 1_048_576;
const jsonDepthMax = 24;

/** Why a JSON value cannot be taken, or null. Bounds depth and size; refuses keys and texts that would not come back as they went in. */
export function jsonIssue(value: unknown, path: readonly string[]): InputIssue | null {
  const budget = { bytes: jsonBytesMax };
  const issue = visit(value, { path: [...path], depth: 0, budget });
  if (issue) return issue;
  return budget.bytes < 0 ? { path, message: `must have at most ${jsonBytesMax.toLocaleString('en')} bytes` } : null;
}

interface Visit {
  readonly path: string[];
  readonly depth: number;
  readonly budget: { bytes: number };
}

function visit(value: unknown, { path, depth, budget }: Visit): InputIssue | null {
  if (budget.bytes < 0) return null;
  if (typeof value === 'string') {
    budget.bytes -= Buffer.byteLength(value) + 2;
    return value.isWellFormed() ? null : { path: [...path], message: 'must not contain an unpaired surrogate' };
  }
  if (typeof value === 'number') {
    budget.bytes -= 8;
    return Number.isFinite(value) ? null : { path: [...path], message: 'must be a number that comes back as it goes in: finite, and whole numbers beyond 2^53 exact; else send it as text' };
  }
  if (value === null || typeof value === 'boolean') {
    budget.bytes -= 4;
    return null;
  }
  if (typeof value !== 'object') return { path: [...path], message: 'must be a JSON value' };
  if (depth >= jsonDepthMax) return { path: path.slice(0, 8), message: `must be nested at most ${jsonDepthMax} deep` };
  budget.bytes -= 2;
  for (const [key, entry] of Object.entries(value)) {
    budget.bytes -= Array.isArray(value) ? 1 : Buffer.byteLength(key) + 4;
    path.push(key);
    const issue = keyIssue(key, path) ?? visit(entry, { path, depth: depth + 1, budget });
    if (issue) return issue;
    path.pop();
  }
  return null;
}

function keyIssue(key: string, path: readonly string[]): InputIssue | null {
  if (key === '__proto__') return { path: [...path], message: 'must not be a key: "__proto__" is refused' };
  return key.isWellFormed() ? null : { path: [...path], message: 'must not have a key with an unpaired surrogate' };
}

/** A bounded JSON object, without a prototype's surprises. */
export const jsonObject = z.custom<{ readonly [key: string]: Json }>((value) => typeof value === 'object' && value !== null && !Array.isArray(value), 'must be a JSON object').superRefine((value, context) => {
  const issue = jsonIssue(value, []);
  if (issue) context.addIssue({ code: 'custom', path: [...issue.path], message: issue.message });
});

/** Label → value. Keys are trimmed, as they are where labels are defined, and come once. */
export const labels = jsonObject.superRefine((value, context) => {
  const seen = new Set<string>();
  for (const [key, entry] of Object.entries(value)) {
    const wrong = firstIssue(labelKey, key) ?? firstIssue(labelValue, entry) ?? (seen.has(key.trim()) ? 'is given twice' : null);
    if (wrong) context.addIssue({ code: 'custom', path: [key], message: wrong });
    seen.add(key.trim());
  }
}).transform((value) => Object.fromEntries(Object.entries(value).map(([key, entry]) => [key.trim(), entry])) as Readonly<Record<string, string>>);

function firstIssue(schema: z.ZodType, value: unknown): string | null {
  return schema.safeParse(value).error?.issues[0]?.message ?? null;
}
