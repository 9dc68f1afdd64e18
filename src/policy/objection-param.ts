import { z } from 'zod';
import { objections, type Objection } from './objection.ts';

/** A param that says how a policy objects. Letter case and blanks around it do not matter; any other word is refused. */
export function objectionParam(standard: Objection, words: { readonly title: string; readonly description: string }): z.ZodType<Objection> {
  const folded = z.preprocess((value) => (typeof value === 'string' ? value.trim().toUpperCase() : value), z.enum(objections));
  return folded.default(standard).meta(words);
}
