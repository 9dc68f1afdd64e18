import type { Decision } from './pass.ts';

/** Why it is denied, or what is asked; null on ALLOW. */
export function reasonOf(decision: Decision): string | null {
  switch (decision.verdict) {
    case 'ALLOW':
      return null;
    case 'DENY':
      return decision.reason;
    case 'ASK':
      return decision.message;
    default:
      return decision satisfies never;
  }
}
