import { RefusedError, UnreachableError, type Client, type Elicitation, type ElicitationAction, type ErrorResult } from '../sdk/index.ts';

export interface Decision {
  readonly action: ElicitationAction;
  readonly comment?: string | undefined;
  /** The form's values, for an elicitation that has one. */
  readonly content?: Readonly<Record<string, unknown>> | undefined;
  /** The call's arguments, whole, instead of those that were asked for. */
  readonly editedArguments?: Readonly<Record<string, unknown>> | undefined;
}

/** What came of it. `elicitations` are as the server has them now, whoever decided. */
export type Decided =
  | { readonly kind: 'decided'; readonly elicitations: readonly Elicitation[] }
  /** Nothing was decided. */
  | { readonly kind: 'refused'; readonly elicitations: readonly Elicitation[]; readonly result: ErrorResult }
  /** Whether it was decided is not known. */
  | { readonly kind: 'unknown'; readonly elicitations: readonly Elicitation[]; readonly message: string };

/**
 * Decides one elicitation, bound to the digest that was shown, or many. Of many all are decided or none; where one was decided by
 * somebody else meanwhile, the rest, which is nothing that was not shown, is tried again.
 */
export async function decide(client: Client, elicitations: readonly Elicitation[], decision: Decision): Promise<Decided> {
  const [first, ...others] = elicitations;
  if (!first) return { kind: 'decided', elicitations: [] };
  try {
    if (others.length === 0) return { kind: 'decided', elicitations: [await client.resolveElicitation({ elicitationId: first.id, expectedDigest: first.digest, ...decision })] };
    const { action, comment } = decision;
    const { elicitations: decided } = await client.resolveElicitations({ ids: elicitations.map(({ id }) => id), action, comment: comment ?? null });
    return { kind: 'decided', elicitations: decided };
  } catch (error) {
    if (error instanceof RefusedError) return afterRefusal(error.result, { client, elicitations, decision });
    return { kind: 'unknown', elicitations: [], message: error instanceof UnreachableError ? '' : messageOf(error) };
  }
}

async function afterRefusal(result: ErrorResult, { client, elicitations, decision }: { client: Client; elicitations: readonly Elicitation[]; decision: Decision }): Promise<Decided> {
  if (result.__typename === 'StaleElicitationError') return { kind: 'refused', elicitations: [result.elicitation], result };
  if (result.__typename !== 'AlreadyResolvedError') return { kind: 'refused', elicitations: [], result };
  const { elicitation: winner } = result;
  if (elicitations.length === 1) return { kind: 'refused', elicitations: [winner], result };
  const rest = elicitations.filter(({ id }) => id !== winner.id);
  if (rest.length === elicitations.length) return { kind: 'refused', elicitations: [winner], result };
  const outcome = await decide(client, rest, decision);
  return { ...outcome, elicitations: [winner, ...outcome.elicitations] };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
