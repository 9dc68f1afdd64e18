import { ElicitationSchema, type Elicitation } from '../entities/elicitation.entity.ts';
import type { ElicitationId } from '../entities/id.ts';
import type { Principal } from '../entities/principal.ts';
import { readProperties } from '../entities/rows.ts';
import type { InboxEventType } from '../entities/session-event.entity.ts';
import { find } from './find.ts';
import type { Gate } from './gate.ts';
import type { Place } from './place.ts';
import { headOf, inboxEventsAfter, placeBeforePending, type InboxEventRow } from './session-event-rows.ts';
import { startOfFeed, type FeedStart } from './start-of-feed.ts';
import { seesAll, visible } from './visible.ts';

/** That an elicitation was asked or settled, and where to go on from. `RESYNC`: events before its place are not there any more, so that some may have been missed. */
export interface InboxEvent {
  readonly type: InboxEventType | 'RESYNC';
  readonly place: Place;
  readonly at: Date;
  readonly actor: Principal | null;
  /** As it is when it is told of. Null: of a resync. */
  readonly elicitation: Elicitation | null;
}

export interface InboxWatch {
  /** The cursor of the last event that was seen. Null: from before whatever is pending. */
  readonly after: string | null;
  readonly signal: AbortSignal;
  /** Waited for before the database is read. */
  readonly turn: () => Promise<void>;
}

const batchSize = 100;

/**
 * Each elicitation that is asked and settled in any session that the caller sees, each once, whatever servers and connections are between. Rows are read as fast
 * as they are taken, so that a slow reader costs nothing but time. Resolves once nothing can be missed.
 */
export async function watchInboxEvents(openGate: () => Gate, watch: InboxWatch): Promise<{ kind: 'watching'; events: AsyncIterable<InboxEvent> } | { kind: 'badCursor' }> {
  const gate = openGate();
  const start = await startOfFeed(gate, watch.after, () => beforePending(gate));
  if (!start) return { kind: 'badCursor' };
  const news = await gate.sessionNews.follow('inbox', watch.signal);
  return { kind: 'watching', events: follow(openGate, { watch, start, news }) };
}

async function beforePending(gate: Gate): Promise<Place> {
  const head = await headOf(gate); // first: what is asked meanwhile comes after it
  return (await placeBeforePending(gate)) ?? head;
}

interface Live {
  readonly watch: InboxWatch;
  readonly start: FeedStart;
  readonly news: { next(): Promise<void> };
}

async function* follow(openGate: () => Gate, { watch, start, news }: Live): AsyncGenerator<InboxEvent> {
  let { place } = start;
  if (start.isLost) yield { type: 'RESYNC', place, at: openGate().now(), actor: null, elicitation: null };
  while (!watch.signal.aborted) {
    await watch.turn();
    const gate = openGate();
    const rows = await inboxEventsAfter(gate, place, { limit: batchSize });
    const seen = await seenAmong(gate, rows);
    for (const { place: its, type, at, actor, subject } of rows) {
      place = its;
      if (!seen.has(subject)) continue;
      await watch.turn();
      const elicitation = await find.elicitation(openGate(), subject); // looked at as it is sent, however long the batch was waited for
      if (elicitation) yield { type, place, at, actor, elicitation };
    }
    if (rows.length < batchSize) await news.next();
  }
}

/** One query for all, so that nobody looks one by one through what is not for him. */
async function seenAmong(gate: Gate, rows: readonly InboxEventRow[]): Promise<ReadonlySet<ElicitationId>> {
  const ids = rows.map(({ subject }) => subject);
  if (ids.length === 0 || seesAll(gate.access)) return new Set(ids);
  return new Set((await readProperties(gate, ElicitationSchema, { properties: ['id'], where: { id: { $in: ids }, $and: visible.ofSessions(gate) } })).map(({ id }) => id));
}
