import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Orm } from '../../src/entities/backend.ts';
import { migrate, migrationStatus } from '../../src/entities/migrate.ts';
import { postgresMigrations } from '../../src/entities/migrations/postgres/index.ts';
import { sqliteMigrations } from '../../src/entities/migrations/sqlite/index.ts';
import { openDatabase } from '../../src/entities/open-database.ts';
import { readEpoch } from '../../src/gate/policy-epoch.ts';
import { evaluatePolicy } from '../../src/gate/evaluate-policy.ts';
import { expectKind, startSession, stored } from '../support/journey.ts';
import { openTestGate } from '../support/open-gate.ts';
import { createDatabase, type TestDatabase } from '../support/test-database.ts';

let database: TestDatabase;
let orm: Orm;
beforeEach(async () => {
  database = await createDatabase();
  orm = await openDatabase(database.url);
});
afterEach(async () => {
  await orm.close();
  await database.remove();
});

const run = <Row>(sql: string) => orm.em.getConnection().execute<Row[]>(sql);

describe('the schema on PostgreSQL', () => {
  it('has the migrations of SQLite, by the same names', async () => {
    expect(postgresMigrations.map(({ name }) => name)).toEqual(sqliteMigrations.map(({ name }) => name));
    expect((await migrationStatus(orm)).every(({ executedAt }) => executedAt instanceof Date)).toBe(true);
    expect(await migrate(orm)).toEqual([]);
  });

  it('is that of the entities, but for what is listed here', async () => {
    const difference = (await orm.schema.getUpdateSchemaSQL({ safe: false })).split('\n').filter((line) => line !== '' && !line.startsWith('set names'));
    expect(difference.map((line) => /^drop index "(\w+)";$|^alter table "\w+" drop constraint "(\w+)";$/.exec(line)?.slice(1).join('') ?? line).toSorted()).toEqual([
      'alter table "evaluation" add constraint "evaluation_session_id_idempotency_key_unique" unique ("session_id", "idempotency_key");', // there, for rows that have a key
      'alter table "session_event" alter column "transaction_id" drop default;',
      'create index "evaluation_elicitation_id_index" on "evaluation" ("elicitation_id");', // there, for rows that have one
      'drop function if exists "evaluation_session_event_of_evaluation_fn"();',
      'drop trigger if exists "session_event_of_evaluation" on "evaluation";',
      'elicitation_action_has_author',
      'elicitation_action_known',
      'elicitation_pending_checkpoint_unique',
      'elicitation_pending_expires_at_index',
      'elicitation_pending_has_no_action',
      'elicitation_pending_session_index',
      'evaluation_abandon_at_index',
      'evaluation_awaiting_session_index',
      'evaluation_decision_fits_verdict',
      'evaluation_elicitation_id_index',
      'evaluation_session_id_idempotency_key_unique',
      'evaluation_status_fits_verdict',
      'evaluation_undecided_has_elicitation',
      'evaluation_undecided_has_no_decision',
      'policy_agent_id_index',
      'policy_session_id_index',
      'policy_target_is_level',
      'session_event_asked_index',
      'session_event_inbox_index',
      'session_event_order_index',
      'session_event_session_index',
      'session_owner_id_index',
    ]);
  });

  it('keeps JSON as it was written, key order, NUL and texts that look like JSON included', async () => {
    const test = await openTestGate({ database: database.url });
    const session = await startSession(test.open());
    const args = { z: 1, a: '\u0000', text: '{"a":1}', number: 1e21, list: [null, true, '"'] };
    const { evaluation } = expectKind(await evaluatePolicy(test.open(), { sessionId: session.id, event: { toolCall: { name: 'T', arguments: args } } }), 'evaluated');
    const { event } = await stored(test.open(), evaluation);
    expect(JSON.stringify(event)).toBe(JSON.stringify({ type: 'tool_call', target: 'T', data: { name: 'T', arguments: args } }));
    await test.close();
  });

  it('sorts ids and paths by their bytes, and finds a subtree by the index', async () => {
    const collations = await run<{ name: string }>(`select distinct collation_name as name from information_schema.columns where table_schema = 'public' and data_type = 'text'`);
    expect(collations).toEqual([{ name: 'C' }]);
    await run('set enable_seqscan = off');
    const plan = await run<Record<string, string>>(`explain select id from session where path >= 'ses_1/' and path < 'ses_10'`);
    expect(plan.map((row) => Object.values(row)[0]).join('\n')).toContain('session_path_index');
  });

  it('gives whole numbers as numbers', async () => {
    await run('update installation set policy_epoch = 9007199254740991');
    expect(await readEpoch(orm.em.fork())).toBe(9_007_199_254_740_991);
  });

  it('uses its own tables only, and refuses one of the same name that is not its own', async () => {
    await run('create table theirs (id int)');
    expect(await migrate(orm)).toEqual([]);
    await run('drop table countersign_migrations');
    await expect(migrate(orm)).rejects.toThrow(/^postgres:\/\/127\.0\.0\.1:\d+\/test_\w+ has a table "\w+" of another program: give another database, or a schema of its own in the search_path of the user$/);
  });

  it('of a newer version is refused', async () => {
    await run(`insert into countersign_migrations (name) values ('9999-future')`);
    await expect(migrate(orm)).rejects.toThrow(/ was written by a newer version \(it has 9999-future\): install that version or a later one$/);
  });

  it('is made where the search path says', async () => {
    await run(`create schema apart; create role apart login password 'x'; grant all on schema apart to apart; alter role apart set search_path = apart`);
    const url = new URL(database.url);
    url.username = 'apart';
    url.password = 'x';
    const own = await openDatabase(url.href);
    try {
      expect(await migrate(own)).toHaveLength(postgresMigrations.length);
      expect(await run(`select distinct schemaname from pg_tables where tablename = 'countersign_migrations' order by 1`)).toEqual([{ schemaname: 'apart' }, { schemaname: 'public' }]);
    } finally {
      await own.close();
      await run('drop schema apart cascade; drop role apart');
    }
  });
});
