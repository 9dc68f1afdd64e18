/** A place in the order of what happened in sessions: after the event of this transaction and position. */
export interface Place {
  readonly transactionId: number;
  readonly position: number;
}

export const isBefore = (one: Place, other: Place): boolean => one.transactionId < other.transactionId || (one.transactionId === other.transactionId && one.position < other.position);

/** Opaque to clients. */
export function cursorOfPlace({ transactionId, position }: Place): string {
  return Buffer.from(`at:${transactionId}.${position}`).toString('base64url');
}

/** Null: it is no cursor of ours. */
export function placeOfCursor(cursor: string): Place | null {
  const [, transactionId, position] = /^at:(\d{1,15})\.(\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (transactionId === undefined || position === undefined) return null;
  const place = { transactionId: Number(transactionId), position: Number(position) };
  return cursorOfPlace(place) === cursor ? place : null;
}
