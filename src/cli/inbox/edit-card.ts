import { createTwoFilesPatch } from 'diff';
import { argumentsOf, hasForm, type Card } from './card.ts';
import type { Answer } from './inbox-state.ts';

/** What is edited of a card: the values of its form, where it has one, else the arguments of the call. */
export interface Editing {
  readonly what: 'form' | 'arguments';
  readonly original: string;
  /** The answer that an edited text stands for, and what is different; or what is wrong with the text. */
  read(text: string): { readonly answer: Answer; readonly changes: string } | { readonly fault: string };
}

/** Null: there is nothing to edit. */
export function editingOf(card: Card): Editing | null {
  const what = hasForm(card) ? 'form' : 'arguments';
  const given = what === 'form' ? formValues(card) : argumentsOf(card);
  if (given === null) return null;
  const original = `${JSON.stringify(given, null, 2)}\n`;
  return {
    what,
    original,
    read(text) {
      const value = objectIn(text);
      if (typeof value === 'string') return { fault: value };
      const input = what === 'form' ? { content: value } : { editedArguments: value };
      const changed = `${JSON.stringify(value, null, 2)}\n`;
      if (what === 'arguments' && changed === original) return { fault: 'Nothing was changed. a accepts it as it is.' };
      return { answer: { kind: 'one', id: card.elicitation.id, input: { action: 'ACCEPT', ...input } }, changes: changesBetween(original, changed) };
    },
  };
}

/** Every field with its default, or a value of its type. */
function formValues({ elicitation: { requestedSchema } }: Card): unknown {
  const { properties = {} } = requestedSchema as { properties?: Record<string, { type?: string; default?: unknown; enum?: readonly unknown[] }> };
  const blank: Readonly<Record<string, unknown>> = { boolean: false, number: 0, integer: 0, array: [] };
  return Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, field.default ?? field.enum?.[0] ?? blank[field.type ?? ''] ?? '']));
}

function objectIn(text: string): Record<string, unknown> | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return `That is no JSON: ${(error as Error).message}. Nothing was sent; e edits on`;
  }
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : 'It must be a JSON object. Nothing was sent; e edits on';
}

/** Without the heading, which names files that are none. */
function changesBetween(before: string, after: string): string {
  return createTwoFilesPatch('', '', before, after, undefined, undefined, { context: 2 }).split('\n').slice(3).filter((line) => !line.startsWith('\\')).join('\n').trimEnd();
}
