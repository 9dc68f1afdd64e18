import type { Connection } from './websocket.ts';

/**
 * Hands a connection's messages on, in order. An operation that its caller completes is cancelled first, because graphql-ws would wait
 * for a subscription to come to its end, and a call that is held has none. A caller who then uses the id for another operation waits
 * until the first has ended: graphql-ws knows operations by their id only, and would send him the answer to the one for the other.
 */
export function inTurn({ operations, completed }: Connection, handle: (text: string) => void): (text: string) => void {
  const waiting: string[] = [];
  let isBlocked = false;

  function next(): void {
    isBlocked = false;
    for (let text = waiting.shift(); text !== undefined; text = waiting.shift()) {
      const earlier = completed.size > 0 ? completed.get(idOf(text, 'subscribe') ?? '') : undefined;
      if (earlier) {
        isBlocked = true;
        waiting.unshift(text);
        void earlier.ended.then(() => setImmediate(next)); // once graphql-ws has put it away, too
        return;
      }
      complete(idOf(text, 'complete'));
      handle(text);
    }
  }

  function complete(id: string | null): void {
    const operation = id === null ? undefined : operations.get(id);
    if (id === null || !operation) return;
    completed.set(id, operation);
    operation.cancel();
  }

  return (text) => {
    waiting.push(text);
    if (!isBlocked) next();
  };
}

/** The id of the operation that a message of this type is about; null: it is another message. */
function idOf(text: string, type: 'subscribe' | 'complete'): string | null {
  if (!text.includes(`"${type}"`)) return null;
  try {
    const message = JSON.parse(text) as { type?: unknown; id?: unknown } | null;
    return message?.type === type && typeof message.id === 'string' ? message.id : null;
  } catch {
    return null;
  }
}
