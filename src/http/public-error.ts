import type { GraphQLError, GraphQLFormattedError } from 'graphql';

/** The error as it is sent: without what only tells the server how to answer over HTTP. Yoga does the same to its own answers. */
export function publicError(error: GraphQLError): GraphQLFormattedError {
  const { extensions, ...formatted } = error.toJSON();
  const { http: _http, unexpected: _unexpected, ...rest } = extensions ?? {};
  return Object.keys(rest).length > 0 ? { ...formatted, extensions: rest } : formatted;
}
