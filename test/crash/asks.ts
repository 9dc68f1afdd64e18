import type { Random } from './random.ts';

/** What people do about an ask. */
export type Fate =
  | 'accepted'
  | 'declined'
  /** One approver accepts, another declines at the same time. */
  | 'disputed'
  /** The caller gives up while it waits. */
  | 'withdrawn'
  /** Nobody decides, and its time is short. */
  | 'overdue'
  /** Nobody decides while servers die; it is accepted in the end. */
  | 'patient';

export interface Ask {
  /** Its key, and the command that its event carries. */
  readonly name: string;
  readonly fate: Fate;
  readonly agent: number;
  readonly transport: 'HTTP' | 'WebSocket';
}

const numbers: Record<Fate, number> = { accepted: 40, declined: 20, disputed: 14, withdrawn: 10, overdue: 8, patient: 8 };

export const agentsCount = 4;

/** A hundred asks of several agents, in random order. */
export function planAsks(random: Random): Ask[] {
  const fates = Object.entries(numbers).flatMap(([fate, count]) => Array.from({ length: count }, () => fate as Fate));
  return random.shuffled(fates).map((fate, index) => ({
    name: `ask ${index} ${fate}`,
    fate,
    agent: random.integer(0, agentsCount - 1),
    transport: random.integer(0, 1) === 0 ? 'HTTP' : 'WebSocket',
  }));
}
