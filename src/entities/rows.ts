import type { EntityKey, EntityMetadata, EntityProperty, EntitySchema, Platform } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { CompiledQuery, type Kysely, type QueryResult } from 'kysely';
import { dialectOf } from './dialect-of.ts';

/** A connection, or a transaction on it. */
export type Statements = Pick<Kysely<Tables>, 'insertInto' | 'updateTable' | 'selectFrom' | 'executeQuery' | 'getExecutor'>;

/** Table → column → value, as the database keeps them. */
export type Tables = Record<string, Record<string, unknown>>;

/**
 * Whole rows by plain SQL, for what happens at each event, ask and answer: the entity manager's own find and update take ten times as long, and its
 * updates rewrite JSON values in place, which fails on frozen events. Rows are read as it gives them, but belong to no identity map.
 * What fails throws the driver's error as MikroORM's.
 */
export interface Source {
  readonly em: SqlEntityManager;
  /** The transaction to work in; default: the entity manager's. */
  readonly on?: Statements;
}

/** Property → what it must be, and what else must hold of the row. All must hold. */
export type Where<Row> = { readonly [Name in EntityKey<Row>]?: Condition<Row[Name]> } & { readonly $and?: readonly RowCondition[] };

/** A condition in SQL on a row of this name. */
export type RowCondition = (row: string) => Sql;

/** `?` stands for each value in turn. */
export interface Sql {
  readonly sql: string;
  readonly values: readonly string[];
}

type Condition<Value> = Value | { readonly $in: readonly Value[] } | { readonly $gt: Value } | { readonly $lte: Value };

/** Inserts rows in one statement and leaves them as they are. */
export async function insertRows<Row extends object>(source: Source, schema: EntitySchema<Row>, rows: readonly Row[]): Promise<void> {
  const statement = open(source, schema);
  const columns = [...statement.table.columns];
  const values = rows.map((row) => `(${columns.map(([property, { encode }]) => statement.bind(encode(valueOf(row, property)))).join(', ')})`);
  await statement.run(`insert into ${statement.table.name} (${columns.map(([, { name }]) => name).join(', ')}) values ${values.join(', ')}`);
}

/** By primary key. */
export async function readRows<Row extends object>(source: Source, schema: EntitySchema<Row>, where: Where<Row>): Promise<Row[]> {
  const statement = open(source, schema);
  const { table } = statement;
  const { rows } = await statement.run(`select * from ${table.name} where ${conditions(statement, where)} order by ${table.primaryKey}`);
  return rows.map((row) => decoded(table.columns, row) as Row);
}

/** Of each row these properties only, by primary key. */
export async function readProperties<Row extends object, Name extends EntityKey<Row>>(source: Source, schema: EntitySchema<Row>, { properties, where }: { readonly properties: readonly Name[]; readonly where: Where<Row> }): Promise<Pick<Row, Name>[]> {
  const statement = open(source, schema);
  const { table } = statement;
  const columns = properties.map((property): [string, Column] => [property, columnOf(table, property)]);
  const { rows } = await statement.run(`select ${columns.map(([, { name }]) => name).join(', ')} from ${table.name} where ${conditions(statement, where)} order by ${table.primaryKey}`);
  return rows.map((row) => decoded(columns, row) as Pick<Row, Name>);
}

/** Null: there is none. */
export async function readRow<Row extends object>(source: Source, schema: EntitySchema<Row>, where: Where<Row>): Promise<Row | null> {
  const statement = open(source, schema);
  const { rows } = await statement.run(`select * from ${statement.table.name} where ${conditions(statement, where)} limit 1`); // as a parameter, the limit would make SQLite plan the statement anew at each use
  return rows[0] ? (decoded(statement.table.columns, rows[0]) as Row) : null;
}

/** For what must be there: else it throws. */
export async function readRowOrFail<Row extends object>(source: Source, schema: EntitySchema<Row>, where: Where<Row>): Promise<Row> {
  const row = await readRow(source, schema, where);
  if (!row) throw new Error(`The table ${tableOf(source.em, schema).name} has no row of ${JSON.stringify(where)}.`);
  return row;
}

/** How many rows it has changed. */
export async function updateRows<Row extends object>(source: Source, schema: EntitySchema<Row>, { set, where }: { readonly set: Partial<Row>; readonly where: Where<Row> }): Promise<number> {
  const statement = open(source, schema);
  const changes = Object.entries(set).map(([property, value]) => {
    const { name, encode } = columnOf(statement.table, property);
    return `${name} = ${statement.bind(encode(value))}`;
  });
  const { numAffectedRows } = await statement.run(`update ${statement.table.name} set ${changes.join(', ')} where ${conditions(statement, where)}`);
  return Number(numAffectedRows);
}

interface Statement {
  readonly table: Table;
  /** Takes a parameter, and gives what stands for it in the text. */
  readonly bind: (value: unknown) => string;
  readonly run: (text: string) => Promise<QueryResult<Record<string, unknown>>>;
}

function open<Row extends object>({ em, on = em.getKysely<Tables>() }: Source, schema: EntitySchema<Row>): Statement {
  const table = tableOf(em, schema);
  const parameters: unknown[] = [];
  return {
    table,
    bind: (value) => table.placeholder(parameters.push(value)),
    async run(text) {
      try {
        return await on.executeQuery<Record<string, unknown>>(CompiledQuery.raw(text, parameters));
      } catch (error) {
        throw error instanceof Error ? em.getPlatform().getExceptionConverter().convertException(error) : error;
      }
    },
  };
}

function conditions(statement: Statement, { $and = [], ...where }: { readonly $and?: readonly RowCondition[] }): string {
  const ofProperties = Object.entries(where).map(([property, condition]) => conditionOf(statement, columnOf(statement.table, property), condition));
  return [...ofProperties, ...$and.map((condition) => bound(statement, condition))].join(' and ');
}

function bound({ table, bind }: Statement, condition: RowCondition): string {
  const { sql, values } = condition(table.name);
  const left = values.values();
  return sql.replaceAll('?', () => bind(left.next().value));
}

function conditionOf({ bind }: Statement, { name, hasSparseIndex, encode }: Column, condition: unknown): string {
  if (condition === null) return `${name} is null`;
  if (hasSparseIndex && isWord(condition)) return `${name} = '${condition}'`; // as a parameter, SQLite would plan the statement anew at each use: it might be the value of the index
  if (typeof condition !== 'object' || condition instanceof Date) return `${name} = ${bind(encode(condition))}`;
  if ('$in' in condition) return amongst(name, (condition.$in as readonly unknown[]).map((value) => bind(encode(value))));
  if ('$gt' in condition) return `${name} > ${bind(encode(condition.$gt))}`;
  if ('$lte' in condition) return `${name} <= ${bind(encode(condition.$lte))}`;
  throw new Error(`${name} cannot be compared with ${JSON.stringify(condition)}.`);
}

/** PostgreSQL knows no empty list. */
function amongst(name: string, values: readonly string[]): string {
  return values.length === 0 ? '1 = 0' : `${name} in (${values.join(', ')})`;
}

/** Names are quoted. */
interface Table {
  readonly name: string;
  readonly primaryKey: string;
  /** By property. */
  readonly columns: ReadonlyMap<string, Column>;
  readonly placeholder: (position: number) => string;
}

interface Column {
  /** As it is called in a row. */
  readonly key: string;
  readonly name: string;
  /** Whether there is an index of the rows with one of its values only. */
  readonly hasSparseIndex: boolean;
  readonly encode: (value: unknown) => unknown;
  readonly decode: (value: unknown) => unknown;
}

const tables = new WeakMap<object, Table>();

function tableOf<Row extends object>(em: SqlEntityManager, schema: EntitySchema<Row>): Table {
  const meta = em.getMetadata(schema);
  const known = tables.get(meta);
  if (known) return known;
  const table = describe(meta, em);
  tables.set(meta, table);
  return table;
}

function describe<Row extends object>(meta: EntityMetadata<Row>, em: SqlEntityManager): Table {
  const platform = em.getPlatform();
  const { placeholder } = dialectOf(em);
  const columns = new Map(
    meta.props.map((property): [string, Column] => {
      const key = property.fieldNames[0] ?? property.name;
      return [property.name, { key, name: platform.quoteIdentifier(key), hasSparseIndex: property.name === 'status', ...codecOf(property, platform) }];
    }),
  );
  return { name: platform.quoteIdentifier(meta.tableName), placeholder, columns, primaryKey: meta.primaryKeys.map((property) => columns.get(property)?.name).join(', ') };
}

function isWord(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Z_]+$/.test(value);
}

function columnOf({ name, columns }: Table, property: string): Column {
  const column = columns.get(property);
  if (!column) throw new Error(`The table ${name} keeps no ${property}.`);
  return column;
}

function codecOf({ customType, runtimeType }: Pick<EntityProperty, 'runtimeType'> & Partial<Pick<EntityProperty, 'customType'>>, platform: Platform): Pick<Column, 'encode' | 'decode'> {
  const orNull = (convert: (value: unknown) => unknown) => (value: unknown) => (value === null || value === undefined ? null : convert(value));
  if (customType) {
    return {
      encode: orNull((value) => customType.convertToDatabaseValue(value, platform, { mode: 'query' }) as unknown),
      decode: orNull((value) => customType.convertToJSValue(value, platform) as unknown),
    };
  }
  if (runtimeType === 'Date') return { encode: orNull((value) => platform.processDateProperty(value)), decode: orNull((value) => platform.parseDate(value as string)) };
  if (runtimeType === 'boolean' && platform.getBooleanTypeDeclarationSQL() === 'integer') return { encode: orNull(Number), decode: orNull(Boolean) };
  return { encode: orNull((value) => value), decode: orNull((value) => value) };
}

function decoded(columns: Iterable<readonly [string, Column]>, row: Readonly<Record<string, unknown>>): object {
  const entity: Record<string, unknown> = {};
  for (const [property, { key, decode }] of columns) entity[property] = decode(row[key]);
  return entity;
}

function valueOf(row: object, property: string): unknown {
  return (row as Readonly<Record<string, unknown>>)[property];
}
