import type { Field } from './machine.ts';
import { isKnown } from './marks.ts';

/** The source of words that a shell would read as these fields again. */
export function quoteFields(fields: readonly Field[]): string {
  return fields.map(({ text, plural }) => (plural && !isKnown(text) ? text : quote(text))).join(' ');
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
