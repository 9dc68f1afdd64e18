import type { EntityMetadata, EntityProperty, EntitySchema, Platform } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/sql';
import type { Kysely } from 'kysely';

/** A connection, or a transaction on it. */
export type Statements = Pick<Kysely<Tables>, 'insertInto' | 'updateTable' | 'selectFrom'>;

/** Table → column → value, as the database keeps them. */
export type Tables = Record<string, Record<string, unknown>>;

/**
 * Inserts whole rows in one statement and leaves them as they are. The entity manager's own insert rewrites JSON values in place,
 * which fails on frozen events and walks over each of them. Throws the driver's error as MikroORM's.
 * `on`: the transaction to insert in; default: the entity manager's.
 */
export async function insertRows<Row extends object>({ em, on = em.getKysely<Tables>() }: { em: SqlEntityManager; on?: Statements }, schema: EntitySchema<Row>, rows: readonly Row[]): Promise<void> {
  const platform = em.getPlatform();
  const table = tableOf(em.getMetadata(schema), platform);
  const values = rows.map((row) => Object.fromEntries(table.columns.map(({ name, encode }) => [name, encode(row)])));
  try {
    await on.insertInto(table.name).values(values).execute();
  } catch (error) {
    throw error instanceof Error ? platform.getExceptionConverter().convertException(error) : error;
  }
}

interface Table {
  readonly name: string;
  readonly columns: readonly { readonly name: string; encode: Encode }[];
}

type Encode = (row: object) => unknown;

const tables = new WeakMap<object, Table>();

function tableOf<Row extends object>(meta: EntityMetadata<Row>, platform: Platform): Table {
  const known = tables.get(meta);
  if (known) return known;
  const columns = meta.props.map((property) => ({ name: property.fieldNames[0] ?? property.name, encode: encoderOf(property, platform) }));
  const table = { name: meta.tableName, columns };
  tables.set(meta, table);
  return table;
}

function encoderOf({ name, customType }: Pick<EntityProperty, 'name'> & Partial<Pick<EntityProperty, 'customType'>>, platform: Platform): Encode {
  const storesBooleansAsNumbers = platform.getBooleanTypeDeclarationSQL() === 'integer';
  return (row) => {
    const value: unknown = (row as Record<string, unknown>)[name];
    if (value === undefined || value === null) return null;
    if (customType) return customType.convertToDatabaseValue(value, platform, { mode: 'query' }) as unknown;
    if (value instanceof Date) return platform.processDateProperty(value);
    return typeof value === 'boolean' && storesBooleansAsNumbers ? Number(value) : value;
  };
}
