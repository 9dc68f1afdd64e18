import { isInterfaceType, isObjectType, type GraphQLField, type GraphQLSchema } from 'graphql';
import { sizeDefault, sizeMax } from './page-request.ts';

/** How a complexity is counted. */
export interface Weighing {
  /** Takes a page whose size is not known to be as large as one can be. */
  readonly atMost: boolean;
}

/**
 * Says what the fields weigh that are not one times what is below them, for @pothos/plugin-complexity: a connection as many times as it
 * has items, and so its list of edges once. A plain list counts ten times.
 */
export function weighFields(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) && !isInterfaceType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      if (field.args.some(({ name }) => name === 'first')) weigh(field, ({ first, last }, { atMost }) => sizeOf(first ?? last, atMost));
      else if (field.name === 'edges' && type.name.endsWith('Connection')) weigh(field, () => 1);
    }
  }
  return schema;
}

interface Arguments {
  readonly first?: number | null;
  readonly last?: number | null;
}

function weigh(field: GraphQLField<unknown, unknown>, multiplierOf: (args: Arguments, weighing: Weighing) => number): void {
  field.extensions = { ...field.extensions, complexity: (args: Arguments, weighing: Weighing) => ({ field: 1, multiplier: multiplierOf(args, weighing) }) };
}

/** A size that is out of range is the field's to refuse, with a better message. */
function sizeOf(given: number | null | undefined, atMost: boolean): number {
  return Math.min(Math.max(given ?? (atMost ? sizeMax : sizeDefault), 1), sizeMax);
}
