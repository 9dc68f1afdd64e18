import type { z } from 'zod';
import { cursorOf } from './cursor.ts';
import { pageRequest, type PageArguments, type PageRequest } from './page-request.ts';

export interface Page<Entity> {
  readonly edges: { readonly cursor: string; readonly node: Entity }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
}

/** What a page reads: ids within the range, in this order, at most so many. */
export interface Slice<Id> {
  readonly where: { readonly id: { readonly $lt?: Id; readonly $lte?: Id; readonly $gt?: Id; readonly $gte?: Id } };
  readonly options: { readonly orderBy: { readonly id: 'asc' | 'desc' }; readonly limit: number };
}

/**
 * A page of a list that has its newest item first. Ids are ordered by time, so an id is a place in the list and a page costs
 * the same wherever it is. `read` adds the list's own filter. Throws BAD_USER_INPUT for arguments that cannot be met.
 */
export async function pageOf<Schema extends z.ZodType<string>, Entity extends { id: z.output<Schema> }>(
  args: PageArguments,
  schema: Schema,
  read: (slice: Slice<z.output<Schema>>) => Promise<Entity[]>,
): Promise<Page<Entity>> {
  const request = pageRequest(args, schema);
  const rows = await read(sliceOf(request));
  const nodes = rows.slice(0, request.size);
  if (request.from === 'end') nodes.reverse();
  const more = rows.length > request.size;
  const behind = await isAnythingBehind(request, read);
  const edges = nodes.map((node) => ({ cursor: cursorOf(node), node }));
  return {
    edges,
    pageInfo: {
      hasNextPage: request.from === 'start' ? more : behind,
      hasPreviousPage: request.from === 'start' ? behind : more,
      startCursor: edges.at(0)?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  };
}

/** One more than asked for: it tells whether there is a next page. */
function sliceOf<Id>({ from, size, after, before }: PageRequest<Id>): Slice<Id> {
  return {
    where: { id: { ...(after === null ? {} : { $lt: after }), ...(before === null ? {} : { $gt: before }) } },
    options: { orderBy: { id: from === 'start' ? 'desc' : 'asc' }, limit: size + 1 },
  };
}

/** Whether the list has an item at or beyond the cursor that the page set out from. */
async function isAnythingBehind<Id>({ from, after, before }: PageRequest<Id>, read: (slice: Slice<Id>) => Promise<unknown[]>): Promise<boolean> {
  const id = from === 'start' ? after && { $gte: after } : before && { $lte: before };
  return id ? (await read({ where: { id }, options: { orderBy: { id: 'desc' }, limit: 1 } })).length > 0 : false;
}
