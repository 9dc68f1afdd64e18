import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Orm } from '../../src/entities/backend.ts';
import { migrate, migrationStatus } from '../../src/entities/migrate.ts';
import { sqliteMigrations } from '../../src/entities/migrations/sqlite/index.ts';
import { sqlite } from '../../src/entities/sqlite/backend.ts';
import { databaseFault, openDatabase } from '../../src/entities/open-database.ts';

const tables = ['agent', 'api_key', 'audit_entry', 'audit_head', 'daily_cost', 'elicitation', 'evaluation', 'installation', 'policy', 'server', 'session', 'session_event', 'session_event_floor', 'session_usage', 'usage_report'];
const migrations = ['0001-initial', '0002-usage', '0003-api-keys', '0004-audit', '0005-masking', '0006-installation', '0007-servers', '0008-session-events', '0009-session-keys', '0010-inbox-events', '0011-sparse-indexes'];

let directory: string;
let open: Orm[];

beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'countersign-migrations-'));
  open = [];
});
afterEach(async () => {
  for (const orm of open) await orm.close(true);
  await rm(directory, { recursive: true });
});

async function database(name = 'test.db'): Promise<Orm> {
  const orm = await openDatabase(`sqlite:${path.join(directory, name)}`);
  open.push(orm);
  return orm;
}

async function rows(orm: Orm, sql: string): Promise<Record<string, unknown>[]> {
  return orm.em.getConnection().execute<Record<string, unknown>[]>(sql);
}

describe('migrate', () => {
  it('makes the tables, and does nothing the second time', async () => {
    const orm = await database();
    expect(await migrate(orm)).toEqual(migrations);
    expect(await migrate(orm)).toEqual([]);
    const names = (await rows(orm, "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name")).map(({ name }) => name);
    expect(names).toEqual([...tables, 'mikro_orm_migrations'].toSorted());
  });

  it('keeps the sessions of a database that was made before usage was counted', async () => {
    const orm = await database();
    await orm.migrator.up({ to: '0001-initial' });
    await insert(orm, 'agent', { id: 'agt', name: 'a', label_definitions: '[]', created_at: 1, updated_at: 1 });
    await insert(orm, 'session', { id: 'ses', agent_id: 'agt', path: 'ses/', title: 'old', owner: '{}', labels: '{}', state: '{"n":1}', usage: '{}', evaluators: '[]', version: 'v', created_at: 1 });
    expect(await migrate(orm)).toEqual(migrations.slice(1));
    expect(await rows(orm, 'select id, title, state, version from session')).toEqual([{ id: 'ses', title: 'old', state: '{"n":1}', version: 'v' }]);
  });

  it('does nothing to a database that another process has migrated', async () => {
    await migrate(await database());
    expect(await migrate(await database())).toEqual([]);
  });

  it('lists what is applied and what is not', async () => {
    const orm = await database();
    expect(await migrationStatus(orm)).toEqual(migrations.map((name) => ({ name, executedAt: null })));
    await migrate(orm);
    expect(await migrationStatus(orm)).toEqual(migrations.map((name) => ({ name, executedAt: expect.any(Date) })));
  });

  it('names the migrations in order', () => {
    const names = sqliteMigrations.map(({ name }) => name);
    expect(names).toEqual(names.toSorted());
  });

  it.each(['test.db', ':memory:'])('opens %s with foreign keys, a busy timeout and a write-ahead log', async (name) => {
    const orm = name === ':memory:' ? await openDatabase('sqlite::memory:') : await database(name);
    open.push(orm);
    expect(await rows(orm, 'pragma foreign_keys')).toEqual([{ foreign_keys: 1 }]);
    expect(await rows(orm, 'pragma busy_timeout')).toEqual([{ timeout: 5000 }]);
    expect(await rows(orm, 'pragma synchronous')).toEqual([{ synchronous: 1 }]);
    expect(await rows(orm, 'pragma journal_mode')).toEqual([{ journal_mode: name === ':memory:' ? 'memory' : 'wal' }]);
  });

  it('writes no snapshot beside the code', async () => {
    await migrate(await database());
    await expect(readFile(path.join(import.meta.dirname, '../../src/entities/migrations/sqlite/.snapshot-test.db.json'))).rejects.toThrow();
  });
});

describe('the schema', () => {
  it('is that of the entities, but for the indexes and checks that are listed here', async () => {
    const migrated = await database('migrated.db');
    await migrate(migrated);
    const generated = sqlite.orm(`sqlite:${path.join(directory, 'generated.db')}`);
    open.push(generated);
    await generated.schema.create();

    for (const table of tables) {
      for (const pragma of ['table_info', 'foreign_key_list']) {
        expect(await rows(migrated, `pragma ${pragma}(${table})`), `${pragma} of ${table}`).toEqual(await rows(generated, `pragma ${pragma}(${table})`));
      }
    }
    const [ours, theirs] = [await indexes(migrated), await indexes(generated)];
    expect([...ours].filter((index) => !theirs.has(index))).toEqual([
      'elicitation_pending_checkpoint_unique on elicitation (session_id, checkpoint), unique, partial',
      'elicitation_pending_expires_at_index on elicitation (expires_at), partial',
      'elicitation_pending_session_index on elicitation (session_id, id), partial',
      'evaluation_abandon_at_index on evaluation (abandon_at), partial',
      'evaluation_awaiting_session_index on evaluation (session_id, id), partial',
      'evaluation_elicitation_id_index on evaluation (elicitation_id), partial',
      'evaluation_session_id_idempotency_key_unique on evaluation (session_id, idempotency_key), unique, partial',
      'session_event_asked_index on session_event (subject), partial',
      'session_event_inbox_index on session_event (position), partial',
      'session_event_session_index on session_event (session_id, position)',
      'session_owner_id_index on session ()',
    ]);
    // Each is the beginning of an index, or of a primary key, that is there, or one that has what is absent, too.
    expect([...theirs].filter((index) => !ours.has(index))).toEqual([
      'elicitation_session_id_index on elicitation (session_id)',
      'evaluation_elicitation_id_index on evaluation (elicitation_id)',
      'evaluation_session_id_idempotency_key_unique on evaluation (session_id, idempotency_key), unique',
      'evaluation_session_id_index on evaluation (session_id)',
      'session_agent_id_index on session (agent_id)',
      'session_parent_id_index on session (parent_id)',
      'session_usage_session_id_index on session_usage (session_id)',
      'usage_report_session_id_index on usage_report (session_id)',
    ]);
    expect(await checks(migrated)).toEqual([
      'elicitation_action_has_author',
      'elicitation_action_known',
      'elicitation_pending_has_no_action',
      'evaluation_decision_fits_verdict',
      'evaluation_status_fits_verdict',
      'evaluation_undecided_has_elicitation',
      'evaluation_undecided_has_no_decision',
      'policy_target_is_level',
    ]);
  });

  describe('refuses to store', () => {
    let orm: Orm;
    const person = '{"kind":"USER","id":"local","name":"Local user"}';
    beforeEach(async () => {
      orm = await database();
      await migrate(orm);
      await insert(orm, 'agent', { id: 'agt', name: 'a', label_definitions: '[]', created_at: 1, updated_at: 1 });
      await insert(orm, 'session', { id: 'ses', agent_id: 'agt', path: 'ses/', owner: person, labels: '{}', state: '{}', evaluators: '[]', version: 0, created_at: 1 });
      await insert(orm, 'elicitation', elicitation({ id: 'elc' }));
    });

    const undecided = { verdict: 'ASK', status: 'AWAITING_APPROVAL', decided_by: null, decided_at: null, elicitation_id: 'elc' };
    const allowed = { verdict: 'ALLOW', status: 'DECIDED', decided_by: 'POLICY', decided_at: 1, elicitation_id: null };

    it.each([
      ['an ALLOW that waits', { ...undecided, verdict: 'ALLOW' }],
      ['an ALLOW without a decision', { ...allowed, decided_by: null, decided_at: null }],
      ['an ALLOW that nobody decided', { ...allowed, decided_by: null }],
      ['an ALLOW without a time', { ...allowed, decided_at: null }],
      ['an ALLOW by expiry', { ...allowed, decided_by: 'EXPIRY' }],
      ['an ALLOW by cancellation', { ...allowed, decided_by: 'CANCELLATION' }],
      ['an ALLOW after a failure', { ...allowed, decided_by: 'FAILURE' }],
      ['an ALLOW of an abandoned call', { ...allowed, status: 'ABANDONED' }],
      ['an ASK that is decided', { ...undecided, status: 'DECIDED', decided_by: 'PERSON', decided_at: 1 }],
      ['an ASK with a decision', { ...undecided, decided_by: 'PERSON', decided_at: 1 }],
      ['an ASK without an elicitation', { ...undecided, elicitation_id: null }],
      ['an unknown verdict', { ...allowed, verdict: 'MAYBE' }],
      ['an unknown status', { ...allowed, status: 'MAYBE' }],
      ['an unknown source', { ...allowed, decided_by: 'NOBODY' }],
    ])('%s', async (_, row) => {
      await expect(insert(orm, 'evaluation', evaluation(row))).rejects.toThrow(/CHECK constraint failed/);
    });

    it.each([
      ['undecided', undecided],
      ['allowed', allowed],
      ['denied', { ...allowed, verdict: 'DENY' }],
      ['expired', { ...allowed, verdict: 'DENY', decided_by: 'EXPIRY' }],
      ['abandoned', { ...allowed, verdict: 'DENY', status: 'ABANDONED', decided_by: 'CANCELLATION' }],
    ])('but not an evaluation that is %s', async (_, row) => {
      await insert(orm, 'evaluation', evaluation(row));
    });

    it('a resolution of what is pending', async () => {
      await expect(insert(orm, 'elicitation', elicitation({ id: 'other', action: 'ACCEPT', resolved_by: person }))).rejects.toThrow(/CHECK constraint failed/);
    });

    it('a resolution by nobody', async () => {
      await expect(insert(orm, 'elicitation', elicitation({ id: 'other', settled_at: 1, action: 'ACCEPT' }))).rejects.toThrow(/CHECK constraint failed/);
    });

    it('two pending elicitations of one checkpoint', async () => {
      await insert(orm, 'elicitation', elicitation({ id: 'first', checkpoint: 'k' }));
      await expect(insert(orm, 'elicitation', elicitation({ id: 'second', checkpoint: 'k' }))).rejects.toThrow(/UNIQUE constraint failed/);
      await orm.em.getConnection().execute("update elicitation set settled_at = 1 where id = 'first'");
      await insert(orm, 'elicitation', elicitation({ id: 'second', checkpoint: 'k' }));
    });

    it('a policy that is attached to something else than its level says', async () => {
      const policy = { id: 'pol', level: 'SERVER', target: 'ses', session_id: 'ses', name: 'p', handler: 'h', enabled: 1, created_by: person, created_at: 1, updated_at: 1 };
      await expect(insert(orm, 'policy', policy)).rejects.toThrow(/CHECK constraint failed/);
      await insert(orm, 'policy', { ...policy, level: 'SESSION' });
    });

    function evaluation(row: Record<string, unknown>) {
      return { id: 'evl', session_id: 'ses', principal: person, phase: 'TOOL_CALL', event: '{}', deciding_policies: '[]', ticket: 0, created_at: 1, ...row };
    }
    function elicitation(row: Record<string, unknown>) {
      return { session_id: 'ses', message: 'm', phase: 'TOOL_CALL', policy_names: '[]', content_preview: '', event: '{}', digest: 'd', requested_schema: '{}', requested_at: 1, expires_at: 2, ...row };
    }
  });
});

describe('a database that cannot be used is refused with one line', () => {
  it('written by a newer version', async () => {
    const orm = await database();
    await migrate(orm);
    await orm.em.getConnection().execute("insert into mikro_orm_migrations (name) values ('9999-future')");
    await expect(migrate(orm)).rejects.toThrow(/^sqlite:.*test\.db was written by a newer version \(it has 9999-future\): install that version or a later one$/);
  });

  it('of another program', async () => {
    const orm = await database();
    await orm.em.getConnection().execute('create table theirs (id integer)');
    await expect(migrate(orm)).rejects.toThrow(/^sqlite:.*test\.db is the database of another program: give another file with --database sqlite:<file>$/);
  });

  it('that is no database', async () => {
    await writeFile(path.join(directory, 'letter.txt'), 'Dear sir or madam, '.repeat(100));
    await expect(database('letter.txt')).rejects.toThrow(/^sqlite:.*letter\.txt is not a database: give another file with --database sqlite:<file>$/);
  });

  it('in a directory that is not there', async () => {
    await expect(database('nowhere/test.db')).rejects.toThrow(/^sqlite:.*test\.db cannot be made: its directory does not exist$/);
  });

  it('that is a directory', async () => {
    await expect(openDatabase(`sqlite:${directory}`)).rejects.toThrow(/^sqlite:.* cannot be opened: it must be a file, in a directory in which it can be written$/);
  });

  it.each([
    ['SQLITE_BUSY', 'sqlite:a.db is locked by another program: stop that one, or give another file with --database'],
    ['SQLITE_READONLY_DBMOVED', 'sqlite:a.db is not writable: make the file and its directory writable, or give another file with --database'],
    ['SQLITE_CORRUPT', 'sqlite:a.db is damaged: restore a copy, or give another file with --database'],
    ['SQLITE_FULL', 'sqlite:a.db cannot grow: the disk is full'],
    ['SQLITE_IOERR', 'sqlite:a.db cannot be used: disk I/O error'],
  ])('that fails with %s', (code, message) => {
    expect(databaseFault(sqlite, 'sqlite:a.db', Object.assign(new Error('disk I/O error'), { code })).message).toBe(message);
  });
});

async function insert(orm: Orm, table: string, row: Record<string, unknown>): Promise<void> {
  const columns = Object.keys(row).map((column) => `\`${column}\``);
  await orm.em.getConnection().execute(`insert into \`${table}\` (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`, Object.values(row));
}

async function indexes(orm: Orm): Promise<Set<string>> {
  const found: string[] = [];
  for (const table of tables) {
    for (const { name, unique, partial, origin } of await rows(orm, `pragma index_list(${table})`)) {
      const columns = (await rows(orm, `pragma index_info(${String(name)})`)).map((column) => column.name);
      if (origin === 'c') found.push(`${String(name)} on ${table} (${columns.join(', ')})${unique ? ', unique' : ''}${partial ? ', partial' : ''}`);
    }
  }
  return new Set(found.toSorted());
}

async function checks(orm: Orm): Promise<string[]> {
  const found = (await rows(orm, "select sql from sqlite_master where type = 'table'")).flatMap(({ sql }) => [...String(sql).matchAll(/constraint `(\w+)` check/g)]);
  return found.map(([, name]) => String(name)).toSorted();
}
