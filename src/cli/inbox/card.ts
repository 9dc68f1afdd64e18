import type { Elicitation } from '../../sdk/index.ts';

/** One question, from when it was first shown until it is taken off the list. */
export interface Card {
  readonly elicitation: Elicitation;
  /** Shown with the others that one answer is to decide. */
  readonly isMarked: boolean;
}

export function isPending({ elicitation }: Card): boolean {
  return elicitation.status === 'PENDING';
}

/** Whether an accept must bring along values for the form of the policy that asks. */
export function hasForm({ elicitation }: Card): boolean {
  return Object.keys(elicitation.requestedSchema).length > 0;
}

/** The arguments of the call; null: it is no call of a tool, and cannot be edited. */
export function argumentsOf({ elicitation: { phase, event } }: Card): unknown {
  return phase === 'TOOL_CALL' ? ((event as { data?: { arguments?: unknown } }).data?.arguments ?? null) : null;
}

/** What was decided, and by whom; null: nothing yet. */
export function outcomeOf({ elicitation: { status, resolution } }: Card): string | null {
  if (status === 'PENDING') return null;
  return `${status.toLowerCase()}${resolution ? ` by ${resolution.by.name}` : ''}`;
}
