import type { SessionId } from '../entities/id.ts';
import type { Happening, Topic } from './events.ts';
import type { Gate } from './gate.ts';

/**
 * Tells everyone who listens: the inbox, the session and its ancestors. Call it after the commit. A failure to tell is logged
 * and delays whoever waits; it undoes nothing, for the row is the truth.
 */
export async function announce(gate: Pick<Gate, 'events' | 'log'>, session: { readonly lineage: readonly SessionId[] }, happenings: readonly Happening[]): Promise<void> {
  const topics: Topic[] = ['inbox', ...session.lineage.map((id: SessionId): Topic => `session:${id}`)];
  const told = happenings.flatMap((happening) => topics.map((topic) => ({ topic, happening })));
  await Promise.all(told.map(({ topic, happening }) => tell(gate, topic, happening))); // at once, so that they share one message to other servers
}

async function tell(gate: Pick<Gate, 'events' | 'log'>, topic: Topic, happening: Happening): Promise<void> {
  try {
    await gate.events.publish(topic, happening);
  } catch (error) {
    gate.log.error({ err: error, topic, happening }, 'an event could not be published');
  }
}
