import type { ElicitationId, SessionId } from '../entities/id.ts';
import type { Gate } from './gate.ts';
import type { Place } from './place.ts';
import { Recent } from './recent.ts';
import { inboxEventsAfter } from './session-event-rows.ts';

export interface End {
  readonly id: ElicitationId;
  readonly sessionId: SessionId;
}

const batchSize = 100;

/** Of so many ends that were heard of the rows are read, so that what is remembered does not grow. */
const heardMax = 500;

/** The ends of elicitations that a watcher was told of: those that it heard of since a place in the order of what happened, and all that the rows have before it. */
export class ToldEnds {
  #place: Place;
  readonly #heard = new Set<ElicitationId>();
  /** Behind the place; hints of them may still be under way. */
  readonly #passed = new Recent<ElicitationId>();

  /** From this place on. */
  constructor(place: Place) {
    this.#place = place;
  }

  /** True: it is news. */
  hear(id: ElicitationId): boolean {
    if (this.#heard.has(id) || this.#passed.has(id)) return false;
    this.#heard.add(id);
    return true;
  }

  get isFull(): boolean {
    return this.#heard.size >= heardMax;
  }

  /** Takes the rows for the truth, up to now, and gives the ends that nobody told of. */
  async *missed(openGate: () => Gate): AsyncGenerator<End> {
    for (;;) {
      const rows = await inboxEventsAfter(openGate(), this.#place, { limit: batchSize });
      for (const { place, type, subject: id, sessionId } of rows) {
        this.#place = place;
        if (type === 'ELICITATION_REQUESTED') continue;
        const isHeard = this.#heard.delete(id);
        this.#passed.add(id);
        if (!isHeard) yield { id, sessionId };
      }
      if (rows.length < batchSize) return;
    }
  }
}
