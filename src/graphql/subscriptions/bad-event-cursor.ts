import type { GraphQLError } from 'graphql';
import { requestError } from '../request-error.ts';

/** Of a subscription that was asked to go on behind what is no event. */
export function badEventCursor(): GraphQLError {
  return requestError('BAD_USER_INPUT', '"after" is not a cursor of an event. Take one from `cursor` of an event, unchanged, or leave it out.');
}
