import type { EntitySchema } from '@mikro-orm/core';
import { readRows, type RowCondition, type Where } from '../entities/rows.ts';
import type { Gate } from './gate.ts';

interface Sought {
  readonly ids: readonly string[];
  /** From `visible`. */
  readonly conditions: readonly RowCondition[];
}

/** The rows of these ids that meet the conditions of whoever looks. */
export async function readVisible<Row extends object>({ em }: Pick<Gate, 'em'>, schema: EntitySchema<Row>, { ids, conditions }: Sought): Promise<Row[]> {
  return readRows({ em }, schema, { id: { $in: ids }, $and: conditions } as unknown as Where<Row>);
}
