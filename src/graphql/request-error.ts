import { GraphQLError } from 'graphql';

/** Codes of the few errors that are not data: a query's or subscription's arguments cannot be used as they are, or its caller may not use it. */
export type RequestErrorCode = 'BAD_USER_INPUT' | 'NOT_FOUND' | 'FORBIDDEN' | 'UNAUTHENTICATED';

/** Reaches the client as it is, with `extensions.code`. Everything else that is thrown is a bug and is masked. */
export function requestError(code: RequestErrorCode, message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code } });
}
