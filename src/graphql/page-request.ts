import type { z } from 'zod';
import { idOf } from './cursor.ts';
import { requestError } from './request-error.ts';

export interface PageArguments {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
  readonly last?: number | null | undefined;
  readonly before?: string | null | undefined;
}

/** A page of a list: `size` items from one end of what lies between the two bounds, which are not part of it. */
export interface PageRequest<Id> {
  readonly from: 'start' | 'end';
  readonly size: number;
  readonly after: Id | null;
  readonly before: Id | null;
}

export const sizeDefault = 20;
export const sizeMax = 100;

/** Reads Relay's arguments. Nothing is clamped: what cannot be met is a BAD_USER_INPUT that says what can. */
export function pageRequest<Schema extends z.ZodType<string>>({ first, after, last, before }: PageArguments, schema: Schema): PageRequest<z.output<Schema>> {
  if (isGiven(first) && isGiven(last)) throw requestError('BAD_USER_INPUT', 'Give "first" or "last", not both: one page starts at one end.');
  return {
    from: isGiven(last) ? 'end' : 'start',
    size: isGiven(last) ? sizeOf('last', last) : sizeOf('first', first ?? sizeDefault),
    after: isGiven(after) ? boundOf('after', after, schema) : null,
    before: isGiven(before) ? boundOf('before', before, schema) : null,
  };
}

function isGiven<T>(value: T | null | undefined): value is T {
  return value !== null && value !== undefined;
}

function sizeOf(argument: string, size: number): number {
  if (size >= 1 && size <= sizeMax) return size;
  throw requestError('BAD_USER_INPUT', `"${argument}" must be from 1 to ${sizeMax}, not ${size}. For more, ask for the next page.`);
}

function boundOf<Schema extends z.ZodType<string>>(argument: string, cursor: string, schema: Schema): z.output<Schema> {
  const id = idOf(cursor, schema);
  if (id !== null) return id;
  throw requestError('BAD_USER_INPUT', `"${argument}" is not a cursor of this list. Take one from "pageInfo" or from an edge of it, unchanged.`);
}
