import { describe, expectTypeOf, it } from 'vitest';
import type { createAgent } from '../../src/gate/create-agent.ts';
import type { createPolicy } from '../../src/gate/create-policy.ts';
import type { createSession } from '../../src/gate/create-session.ts';
import type { deletePolicy } from '../../src/gate/delete-policy.ts';
import type { endSession } from '../../src/gate/end-session.ts';
import type { recordUsage } from '../../src/gate/record-usage.ts';
import type { evaluatePolicy } from '../../src/gate/evaluate-policy.ts';
import type { Failure } from '../../src/gate/outcome.ts';
import type { previewEvaluation } from '../../src/gate/preview-evaluation.ts';
import type { resolveElicitation } from '../../src/gate/resolve-elicitation.ts';
import type { resolveElicitations } from '../../src/gate/resolve-elicitations.ts';
import type { simulatePolicy } from '../../src/gate/simulate-policy.ts';
import type { updateAgent } from '../../src/gate/update-agent.ts';
import type { updatePolicy } from '../../src/gate/update-policy.ts';
import type { updateSession } from '../../src/gate/update-session.ts';
import type { withdrawEvaluation } from '../../src/gate/withdraw-evaluation.ts';

/** The error types that a union must list for a use case: just those that it returns. The lists are those of contract.graphql. */
type Errors<UseCase extends (...args: never[]) => Promise<{ kind: string }>> = `${Capitalize<Extract<Awaited<ReturnType<UseCase>>, Failure>['kind']>}Error`;

describe('each result lists just the errors that its use case can return', () => {
  it('which the compiler checks', () => {
    expectTypeOf<Errors<typeof createAgent>>().toEqualTypeOf<'InvalidInputError' | 'ConflictError'>();
    expectTypeOf<Errors<typeof updateAgent>>().toEqualTypeOf<'InvalidInputError' | 'NotFoundError' | 'ConflictError'>();
    expectTypeOf<Errors<typeof createSession>>().toEqualTypeOf<'InvalidInputError' | 'NotFoundError' | 'ConflictError'>();
    expectTypeOf<Errors<typeof updateSession>>().toEqualTypeOf<'InvalidInputError' | 'NotFoundError' | 'ConflictError'>();
    expectTypeOf<Errors<typeof endSession>>().toEqualTypeOf<'NotFoundError'>();
    expectTypeOf<Errors<typeof recordUsage>>().toEqualTypeOf<'InvalidInputError' | 'NotFoundError' | 'ConflictError'>();
    expectTypeOf<Errors<typeof createPolicy>>().toEqualTypeOf<'InvalidInputError' | 'NotFoundError' | 'ConflictError'>();
    expectTypeOf<Errors<typeof updatePolicy>>().toEqualTypeOf<'InvalidInputError' | 'NotFoundError' | 'ConflictError'>();
    expectTypeOf<Errors<typeof deletePolicy>>().toEqualTypeOf<'NotFoundError' | 'ConflictError'>();
    expectTypeOf<Errors<typeof evaluatePolicy>>().toEqualTypeOf<'InvalidInputError' | 'NotFoundError' | 'ConflictError' | 'IdempotencyKeyReusedError' | 'TooManyPendingError'>();
    expectTypeOf<Errors<typeof withdrawEvaluation>>().toEqualTypeOf<'InvalidInputError' | 'NotFoundError'>();
    expectTypeOf<Errors<typeof resolveElicitation>>().toEqualTypeOf<
      'InvalidInputError' | 'NotFoundError' | 'ForbiddenError' | 'AlreadyResolvedError' | 'StaleElicitationError' | 'EditRefusedError'
    >();
    expectTypeOf<Errors<typeof resolveElicitations>>().toEqualTypeOf<'InvalidInputError' | 'NotFoundError' | 'ForbiddenError' | 'AlreadyResolvedError'>();
    expectTypeOf<Errors<typeof previewEvaluation>>().toEqualTypeOf<'InvalidInputError' | 'NotFoundError'>();
    expectTypeOf<Errors<typeof simulatePolicy>>().toEqualTypeOf<'InvalidInputError'>();
  });
});
