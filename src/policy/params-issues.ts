import type { z } from 'zod';
import { isJsonObject, type Json, type JsonObject } from './json.ts';

/** One thing that is wrong with params, and what would be right. `path` is empty when it is about all of them together. */
export interface ParamsIssue {
  readonly path: readonly string[];
  readonly message: string;
}

/** The issues of a failed parse, in our words. The parse must have run with `reportInput`. */
export function paramsIssues(error: z.ZodError, paramsSchema: JsonObject | null): readonly ParamsIssue[] {
  return error.issues.flatMap((issue) => {
    const path = issue.path.map(String);
    if (issue.code !== 'unrecognized_keys') return [{ path, message: message(issue) }];
    const known = knownKeys(paramsSchema, issue.path);
    const right = known.length > 0 ? ` Known here: ${known.join(', ')}.` : ' Nothing can be set here.';
    return issue.keys.map((key) => ({ path: [...path, key], message: `Unknown parameter.${right}` }));
  });
}

/** Throw it in `create` to say what is wrong with params that the schema admits. */
export class InvalidParams extends Error {
  override readonly name = 'InvalidParams';
  readonly issues: readonly ParamsIssue[];

  constructor(issues: readonly ParamsIssue[]) {
    super(issues.map((issue) => issue.message).join(' '));
    this.issues = issues;
  }
}

/** Texts that a schema's author wrote are kept; only zod's stock phrases are put into ours. */
function message(issue: z.core.$ZodIssue): string {
  if (!issue.message.startsWith('Invalid ')) return issue.message;
  if (issue.code === 'invalid_type') {
    const expected = issue.expected === 'int' ? 'integer' : issue.expected;
    return issue.input === undefined ? `Missing: expected ${expected}.` : `Expected ${expected}, got ${typeName(issue.input)}.`;
  }
  if (issue.code === 'invalid_value') return `Expected ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}.`;
  if (issue.code === 'invalid_union') {
    const options = issue.errors.flatMap(([first]) => (first ? [message(first)] : []));
    if (options.length > 0) return options.join(' Or: ');
  }
  return issue.message;
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'number' && !Number.isInteger(value) ? String(value) : typeof value;
}

function knownKeys(schema: JsonObject | null, path: readonly PropertyKey[]): readonly string[] {
  let here: Json | undefined = schema ?? undefined;
  for (const step of path) {
    if (!isJsonObject(here)) return [];
    here = typeof step === 'number' ? here['items'] : member(here['properties'], String(step));
  }
  const properties = isJsonObject(here) ? here['properties'] : undefined;
  return isJsonObject(properties) ? Object.keys(properties) : [];
}

function member(value: Json | undefined, key: string): Json | undefined {
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}
