import type { PolicyEvent } from './event.ts';
import type { Json } from './json.ts';

/**
 * What the person wrote, without attachments; null for other events than a REQUEST. Beside our payload also the reference
 * system's others: a bare text, and a list of content blocks, whose texts are joined by line breaks.
 */
export function requestText(event: PolicyEvent): string | null {
  if (event.type !== 'request') return null;
  const data: unknown = event.data;
  if (typeof data === 'string') return data;
  if (Array.isArray(data)) return data.map((block: Json) => textOf(block, 'text')).filter((text) => text !== null).join('\n');
  return textOf(data, 'user_content') ?? '';
}

function textOf(value: unknown, key: string): string | null {
  if (typeof value !== 'object' || value === null) return null;
  const text = (value as Readonly<Record<string, unknown>>)[key];
  return typeof text === 'string' ? text : null;
}
