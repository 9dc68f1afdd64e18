import { builder, type SuccessShapes } from '../builder.ts';
import { errorTypeOf, type ErrorTypeName } from '../error-types.ts';

interface Members<Success, ErrorName> {
  readonly success: Success;
  /** Exactly the failures that the use case returns. The compiler refuses a resolver with one that is missing here. */
  readonly errors: readonly ErrorName[];
}

/**
 * What a mutation answers: the object itself, or one of the errors. A resolver returns either as the gate gave it. ForbiddenError
 * (guard-fields.ts) and RateLimitedError (limit-mutations.ts) are among them by themselves.
 */
export function resultUnion<Success extends keyof SuccessShapes, ErrorName extends ErrorTypeName>(field: string, { success, errors }: Members<Success, ErrorName>) {
  return unionOf(field, { success, errors: [...errors, 'ForbiddenError', 'RateLimitedError'] });
}

/** The same for a query that can be refused. What comes too often is an error of the request there. */
export function queryResultUnion<Success extends keyof SuccessShapes, ErrorName extends ErrorTypeName>(field: string, { success, errors }: Members<Success, ErrorName>) {
  return unionOf(field, { success, errors: [...errors, 'ForbiddenError'] });
}

function unionOf<Success extends keyof SuccessShapes, ErrorName extends ErrorTypeName>(field: string, { success, errors }: Members<Success, ErrorName>) {
  return builder.unionType(`${field}Result`, {
    description: `What ${field.charAt(0).toLowerCase()}${field.slice(1)} answers: ${success}, or what was wrong.`,
    types: [success, ...new Set<ErrorTypeName>(errors)],
    resolveType: (value) => errorTypeOf(value) ?? success,
  });
}
