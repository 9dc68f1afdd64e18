import type { Happening, Resync, Topic } from '../gate/events.ts';

/** What one process tells the others: which topic, and what happened there. A resync concerns every topic. */
export type Told = readonly [topic: Topic, happening: Happening] | readonly [topic: null, resync: Resync];

/** Packs what is told, in order, into as few messages as there must be: each at most `bytesMax` long. */
export function packMessages(told: readonly Told[], { from, bytesMax }: { readonly from: string; readonly bytesMax: number }): string[] {
  const messages: string[] = [];
  const start = `[${JSON.stringify(from)},[`;
  let parts: string[] = [];
  let bytes = start.length + 2;
  const close = () => {
    if (parts.length > 0) messages.push(`${start}${parts.join(',')}]]`);
  };
  for (const one of told) {
    const part = JSON.stringify(one);
    if (parts.length > 0 && bytes + part.length + 1 > bytesMax) {
      close();
      parts = [];
      bytes = start.length + 2;
    }
    parts.push(part);
    bytes += part.length + 1;
  }
  close();
  return messages;
}

/** Reads a message of another process. What is no message of ours, or of a kind that only a newer version knows, is left out: events are hints. */
export function readMessage(text: string): { readonly from: string; readonly told: readonly Told[] } {
  try {
    const [from, told] = JSON.parse(text) as [unknown, unknown];
    if (typeof from === 'string' && Array.isArray(told)) return { from, told: told.filter(isTold) };
  } catch {
    // Somebody else writes to the channel.
  }
  return { from: '', told: [] };
}

/** Every kind, so that the compiler asks for one that is new. */
const kinds: Readonly<Record<(Happening | Resync)['kind'], true>> = { elicitationRequested: true, elicitationResolved: true, evaluationDecided: true, resync: true };

function isTold(value: unknown): value is Told {
  if (!Array.isArray(value)) return false;
  const [topic, happening] = value as [unknown, { readonly kind?: unknown } | null | undefined];
  const kind = happening?.kind;
  if (typeof kind !== 'string' || !Object.hasOwn(kinds, kind)) return false;
  return kind === 'resync' ? topic === null : typeof topic === 'string';
}
