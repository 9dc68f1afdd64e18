import type { Failure } from '../gate/outcome.ts';

/** The GraphQL type of each expected failure. The compiler asks for a line here when the gate gets a new one. */
export const errorTypes = {
  invalidInput: 'InvalidInputError',
  notFound: 'NotFoundError',
  conflict: 'ConflictError',
  forbidden: 'ForbiddenError',
  alreadyResolved: 'AlreadyResolvedError',
  staleElicitation: 'StaleElicitationError',
  idempotencyKeyReused: 'IdempotencyKeyReusedError',
  editRefused: 'EditRefusedError',
  tooManyPending: 'TooManyPendingError',
  rateLimited: 'RateLimitedError',
} as const satisfies { [Kind in Failure['kind']]: `${Capitalize<Kind>}Error` };

type FailureKind = keyof typeof errorTypes;

/** GraphQL type name → the failure that it shows. */
export type ErrorShapes = { [Kind in FailureKind as (typeof errorTypes)[Kind]]: Extract<Failure, { kind: Kind }> };

export type ErrorTypeName = keyof ErrorShapes;

/** Null: the value is no failure. */
export function errorTypeOf(value: object): ErrorTypeName | null {
  const kind = 'kind' in value ? value.kind : null;
  return typeof kind === 'string' && Object.hasOwn(errorTypes, kind) ? errorTypes[kind as FailureKind] : null;
}
