import { ask, deny, type Effects, type Opinion } from './verdict.ts';

/** What a policy says where it does not let pass. */
export const objections = ['ASK', 'DENY'] as const;

export type Objection = (typeof objections)[number];

/** The opinion of a policy whose params say how it objects. */
export function object(objection: Objection, reason: string, effects: Effects = {}): Opinion {
  return objection === 'DENY' ? deny(reason, effects) : ask(reason, effects);
}
