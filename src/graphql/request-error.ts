import { GraphQLError } from 'graphql';

/** Codes of the few errors that are not data: a query's or subscription's arguments cannot be used as they are. */
export type RequestErrorCode = 'BAD_USER_INPUT' | 'NOT_FOUND';

/** Reaches the client as it is, with `extensions.code`. Everything else that is thrown is a bug and is masked. */
export function requestError(code: RequestErrorCode, message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code } });
}
