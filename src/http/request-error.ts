import { GraphQLError, type ExecutionResult } from 'graphql';
import { isMeantForCaller } from './mask-error.ts';
import { shortened } from './shortened.ts';

/**
 * A result without data was refused before it began: a variable has the wrong type, or no operation has the name. The messages are
 * GraphQL's own and say where; what they lack is a code and a status. Or a subscription could not begin: what its resolver threw, which
 * has a path, stays as it is unless it is meant for the caller, so that it is masked like that of any other resolver.
 */
export function asRequestError(result: ExecutionResult): ExecutionResult {
  if (result.data !== undefined || !result.errors) return result;
  return { ...result, errors: result.errors.map((error) => (error.path === undefined || isMeantForCaller(error) ? withCode(error) : error)) };
}

function withCode({ message, nodes, extensions }: GraphQLError): GraphQLError {
  return new GraphQLError(shortened(message), {
    nodes: nodes ?? null,
    // `spec`: with the older application/json the status is 200, as the specification wants it for whatever is well-formed.
    extensions: { code: 'BAD_USER_INPUT', ...extensions, http: { status: 400, spec: true, ...(extensions.http as object | undefined) } },
  });
}
