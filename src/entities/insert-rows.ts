import type { EntityManager, EntityMetadata, EntityProperty, EntitySchema, Platform } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/sqlite';

/**
 * Inserts whole rows in one statement and leaves them as they are. The entity manager's own insert rewrites JSON values in place,
 * which fails on frozen events and walks over each of them. Throws the driver's error as MikroORM's.
 */
export async function insertRows<Row extends object>(em: EntityManager, schema: EntitySchema<Row>, rows: readonly Row[]): Promise<void> {
  const platform = em.getPlatform();
  const table = tableOf(em.getMetadata(schema), platform);
  const values = rows.map((row) => Object.fromEntries(table.columns.map(({ name, encode }) => [name, encode(row)])));
  try {
    await (em as SqlEntityManager).getKysely<Record<string, Record<string, unknown>>>().insertInto(table.name).values(values).execute();
  } catch (error) {
    throw error instanceof Error ? platform.getExceptionConverter().convertException(error as never) : error;
  }
}

interface Table<Row> {
  readonly name: string;
  readonly columns: readonly { readonly name: string; encode(row: Row): unknown }[];
}

const tables = new WeakMap<EntityMetadata, Table<object>>();

function tableOf<Row extends object>(meta: EntityMetadata<Row>, platform: Platform): Table<Row> {
  const known = tables.get(meta);
  if (known) return known;
  const columns = meta.props.map((property) => ({ name: property.fieldNames[0] ?? property.name, encode: encoderOf(property as EntityProperty, platform) }));
  const table = { name: meta.tableName, columns };
  tables.set(meta, table);
  return table;
}

function encoderOf({ name, customType }: EntityProperty, platform: Platform): (row: object) => unknown {
  const storesBooleansAsNumbers = platform.getBooleanTypeDeclarationSQL() === 'integer';
  return (row) => {
    const value: unknown = (row as Record<string, unknown>)[name];
    if (value === undefined || value === null) return null;
    if (customType) return customType.convertToDatabaseValue(value, platform, { mode: 'query' });
    if (value instanceof Date) return platform.processDateProperty(value);
    return typeof value === 'boolean' && storesBooleansAsNumbers ? Number(value) : value;
  };
}
