import { z } from 'zod';
import { InvalidParams } from '../../params-issues.ts';
import { readFileReference } from './file-reference.ts';

/** The params that all Google policies have. */
export const googleParams = {
  tool_prefixes: z.array(z.string().min(1)).nullable().default(null).meta({
    title: 'Prefixes of tools',
    description: 'With what the names of the Google tools begin, e.g. mcp__google__. Names without a prefix are judged too. Not given: any MCP server’s.',
  }),
  deny_reason: z.string().nullish().meta({ title: 'Reason for denials', description: 'Text that a denial gives instead of its own reason.' }),
};

export function filesParam(title: string, description: string): z.ZodDefault<z.ZodNullable<z.ZodArray<z.ZodString>>> {
  return z.array(z.string()).nullable().default(null).meta({ title, description: `${description} Ids, or links to Google Drive.` });
}

export function switchParam(standard: boolean, title: string, description: string): z.ZodDefault<z.ZodBoolean> {
  return z.boolean().default(standard).meta({ title, description });
}

/** The ids that a list of files names. Throws InvalidParams where an entry names none: it would be a rule that nobody sees fail. */
export function fileIds(param: string, files: readonly string[] | null): ReadonlySet<string> {
  const ids = (files ?? []).map((file) => readFileReference(file).certain);
  const issues = ids.flatMap((id, index) => (id === null ? [{ path: [param, String(index)], message: 'It names no file: write its id, or its link.' }] : []));
  if (issues.length > 0) throw new InvalidParams(issues);
  return new Set(ids.filter((id) => id !== null));
}
