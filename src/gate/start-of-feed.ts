import type { Gate } from './gate.ts';
import { isBefore, placeOfCursor, type Place } from './place.ts';
import { floorOf, headOf } from './session-event-rows.ts';

export interface FeedStart {
  readonly place: Place;
  /** What came behind the cursor is not all there any more: the place is before the oldest that is. */
  readonly isLost: boolean;
}

/** Where a reader of events goes on: behind its cursor, or `otherwise` without one. Null: it is no cursor of ours. */
export async function startOfFeed(gate: Gate, after: string | null, otherwise: () => Promise<Place>): Promise<FeedStart | null> {
  const place = after === null ? await otherwise() : placeOfCursor(after);
  if (!place) return null;
  const [floor, head] = [await floorOf(gate), await headOf(gate)];
  // After the head are only the cursors of another database, e.g. of one that was put back to an earlier state since.
  const isLost = isBefore(place, floor) || isBefore(head, place);
  return { place: isLost ? floor : place, isLost };
}
