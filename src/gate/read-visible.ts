import type { EntitySchema, FilterQuery } from '@mikro-orm/core';
import { readRows, type Where } from '../entities/rows.ts';
import type { Gate } from './gate.ts';

interface Sought {
  readonly ids: readonly string[];
  /** From `visible`. */
  readonly conditions: readonly object[];
}

/** The rows of these ids that meet the conditions of whoever looks. Most look at everything, and need no query that the entity manager would have to build. */
export async function readVisible<Row extends object>({ em }: Pick<Gate, 'em'>, schema: EntitySchema<Row>, { ids, conditions }: Sought): Promise<Row[]> {
  const sought = { id: { $in: ids } };
  return conditions.length === 0 ? readRows({ em }, schema, sought as unknown as Where<Row>) : em.find(schema, { $and: [sought, ...conditions] } as FilterQuery<NoInfer<Row>>);
}
