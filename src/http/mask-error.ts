import { randomUUID } from 'node:crypto';
import { GraphQLError } from 'graphql';
import type { Log } from '../gate/gate.ts';

/**
 * What the caller sees of an error. A `GraphQLError` that was thrown as one is meant for him; of anything else, which is a bug or a
 * failing database, he learns only under which id the log has it.
 */
export function createMaskError(log: Log): (error: unknown) => GraphQLError {
  return (error) => {
    if (isMeantForCaller(error)) return error;
    const logId = randomUUID();
    const { nodes, source, positions, path, originalError } = (error instanceof GraphQLError ? error : {}) as Partial<GraphQLError>;
    log.error({ err: originalError ?? error, logId, path: path?.join('.') }, 'an operation failed unexpectedly');
    return new GraphQLError(`Unexpected error. Its log id is ${logId}.`, {
      nodes: nodes ?? null,
      source: source ?? null,
      positions: positions ?? null,
      path: path ?? null,
      extensions: { code: 'INTERNAL_SERVER_ERROR', logId, unexpected: true }, // `unexpected` is Yoga's word for status 500; it is not sent
    });
  };
}

/** Also when it was wrapped on its way, to say where it happened. */
export function isMeantForCaller(error: unknown): error is GraphQLError {
  return error instanceof GraphQLError && (error.originalError === undefined || isMeantForCaller(error.originalError));
}
