import type { SessionId } from '../entities/id.ts';
import type { SessionEventType } from '../entities/session-event.entity.ts';
import { find } from './find.ts';
import type { Gate } from './gate.ts';
import { notFound, type NotFound } from './outcome.ts';
import { eventsAfter, floorOf, type SessionEventRow } from './session-event-rows.ts';
import { startOfFeed, type FeedStart } from './start-of-feed.ts';
import { seesPolicies } from './visible.ts';

/** What happened in a session, and where to go on from. `RESYNC`: events before its place are not there any more, so that some may have been missed. */
export type SessionEvent = Omit<SessionEventRow, 'type'> & { readonly type: SessionEventType | 'RESYNC' };

export interface SessionWatch {
  readonly sessionId: string;
  /** The cursor of the last event that was seen. Null: from the oldest that is kept. */
  readonly after: string | null;
  readonly signal: AbortSignal;
  /** Waited for before the database is read. */
  readonly turn: () => Promise<void>;
}

const batchSize = 100;

/**
 * Everything that happened and happens in one session, each once. Rows are read as fast as they are taken, so that a slow reader costs
 * nothing but time. Resolves once nothing can be missed.
 */
export async function watchSessionEvents(openGate: () => Gate, watch: SessionWatch): Promise<{ kind: 'watching'; events: AsyncIterable<SessionEvent> } | NotFound | { kind: 'badCursor' }> {
  const gate = openGate();
  const session = await find.session(gate, watch.sessionId);
  if (!session) return notFound('session', watch.sessionId);
  const start = await startOfFeed(gate, watch.after, () => floorOf(gate));
  if (!start) return { kind: 'badCursor' };
  const news = await gate.sessionNews.follow(session.id, watch.signal);
  return { kind: 'watching', events: follow(openGate, { watch, sessionId: session.id, start, news }) };
}

interface Live {
  readonly watch: SessionWatch;
  readonly sessionId: SessionId;
  readonly start: FeedStart;
  readonly news: { next(): Promise<void> };
}

async function* follow(openGate: () => Gate, { watch, sessionId, start, news }: Live): AsyncGenerator<SessionEvent> {
  let { place } = start;
  if (start.isLost) yield { type: 'RESYNC', place, sessionId, subject: null, name: null, actor: null, at: openGate().now() };
  while (!watch.signal.aborted) {
    await watch.turn();
    const gate = openGate();
    if (!(await find.session(gate, sessionId))) return;
    const rows = await eventsAfter(gate, place, { sessionId, limit: batchSize });
    for (const row of rows) {
      place = row.place;
      if (seesPolicies(gate.access) || !row.type.startsWith('POLICY_')) yield row;
    }
    if (rows.length < batchSize) await news.next();
  }
}
