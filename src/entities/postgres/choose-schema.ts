import type { Orm } from '../backend.ts';
import { DatabaseFault } from '../database-fault.ts';
import { databaseOf } from '../database-of.ts';
import { shown } from './url-parts.ts';

/** The schema in which our tables are: the first of the user's search path that is there. Notes it for the migrations, which would take `public`. */
export async function chooseSchema(orm: Orm): Promise<void> {
  const [row] = await orm.em.getConnection().execute<{ schema: string | null; version: number }[]>(`select current_schema() as schema, current_setting('server_version_num')::int as version`);
  if (!row?.schema) throw new DatabaseFault(`${shown(databaseOf(orm))} has no schema for the user: create one that is in the search_path of the user`);
  if (row.version < versionMin) throw new DatabaseFault(`${shown(databaseOf(orm))} is PostgreSQL ${Math.floor(row.version / 10_000)}: version ${versionMin / 10_000} or later is needed`);
  orm.config.set('migrations', { ...orm.config.get('migrations'), schema: row.schema });
}

const versionMin = 140_000;
