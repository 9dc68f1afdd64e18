import { builder, type SuccessShapes } from '../builder.ts';
import { errorTypeOf, type ErrorTypeName } from '../error-types.ts';

interface Members<Success, ErrorName> {
  readonly success: Success;
  /** Exactly the failures that the use case returns; ForbiddenError is one of every such field (see guard-fields.ts). The compiler refuses a resolver with one that is missing here. */
  readonly errors: readonly ErrorName[];
}

/** What a mutation, or a query that can be refused, answers: the object itself, or one of the errors. A resolver returns either as the gate gave it. */
export function resultUnion<Success extends keyof SuccessShapes, ErrorName extends ErrorTypeName>(field: string, { success, errors }: Members<Success, ErrorName>) {
  return builder.unionType(`${field}Result`, {
    description: `What ${field.charAt(0).toLowerCase()}${field.slice(1)} answers: ${success}, or what was wrong.`,
    types: [success, ...new Set<ErrorTypeName>([...errors, 'ForbiddenError'])],
    resolveType: (value) => errorTypeOf(value) ?? success,
  });
}
