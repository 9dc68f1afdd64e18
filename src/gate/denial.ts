import type { Evaluation } from '../entities/evaluation.entity.ts';
import type { Decision } from '../policy/pass.ts';
import type { Gate } from './gate.ts';

/** How a denial is stored. What made a policy fail is for the log, and its caller is told where to look. */
export interface Denial {
  readonly verdict: 'DENY';
  readonly decidedBy: 'POLICY' | 'FAILURE';
  readonly reason: string;
  readonly decidingPolicies: readonly string[];
}

export function denialOf(gate: Gate, { id, session }: Pick<Evaluation, 'id' | 'session'>, { policy, reason, failure }: Extract<Decision, { verdict: 'DENY' }>): Denial {
  const common = { verdict: 'DENY', decidingPolicies: [policy] } as const;
  if (failure === undefined) return { ...common, decidedBy: 'POLICY', reason };
  gate.log.error({ err: failure, evaluation: id, session, policy }, 'a policy failed to judge an event');
  return { ...common, decidedBy: 'FAILURE', reason: `${reason} The server's log has more under ${id}.` };
}
