import type { Decision } from './pass.ts';

/** The policy that denied, or all that asked, in order; none on ALLOW. */
export function decidingPoliciesOf(decision: Decision): readonly string[] {
  switch (decision.verdict) {
    case 'ALLOW':
      return [];
    case 'DENY':
      return [decision.policy];
    case 'ASK':
      return decision.policies;
    default:
      return decision satisfies never;
  }
}
