import { GraphQLError, type ExecutionResult } from 'graphql';
import { shortened } from './shortened.ts';

/**
 * A result without data was refused before it began: a variable has the wrong type, or no operation has the name. The messages are
 * GraphQL's own and say where; what they lack is a code and a status.
 */
export function asRequestError(result: ExecutionResult): ExecutionResult {
  if (result.data !== undefined || !result.errors) return result;
  return { ...result, errors: result.errors.map(withCode) };
}

function withCode({ message, nodes, extensions }: GraphQLError): GraphQLError {
  return new GraphQLError(shortened(message), {
    nodes: nodes ?? null,
    // `spec`: with the older application/json the status is 200, as the specification wants it for whatever is well-formed.
    extensions: { code: 'BAD_USER_INPUT', ...extensions, http: { status: 400, spec: true, ...(extensions.http as object | undefined) } },
  });
}
