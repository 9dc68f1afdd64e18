import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApiKey } from '../../src/gate/create-api-key.ts';
import { linkHash } from '../../src/gate/audit-hash.ts';
import type { AuditEntry } from '../../src/entities/audit-entry.entity.ts';
import { configOf } from '../../src/config.ts';
import { openAuditTrail } from '../../src/main.ts';
import { runCli } from '../support/run-cli.ts';
import { startTestServer } from '../support/start-server.ts';

const count = 12;

let directory: string;
let original: string;
let work: string;

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'countersign-audit-'));
  original = path.join(directory, 'original');
  const server = await startTestServer();
  try {
    for (let index = 0; index < count; index += 1) await createApiKey(server.openGate(), { name: `key ${index}`, role: 'VIEWER' });
    await server.close();
    for (const suffix of ['', '.key', '.checkpoints']) await cp(`${server.databaseFile}${suffix}`, `${original}${suffix}`);
  } finally {
    await server.remove();
  }
});
afterAll(() => rm(directory, { recursive: true }));

/** A copy of the database, after the statements, and what is found in it. */
async function verifyAfter(change: (database: DatabaseSync) => void, checkpoints?: (lines: string) => string) {
  work = path.join(directory, `work-${Math.random()}`);
  for (const suffix of ['', '.key', '.checkpoints']) await cp(`${original}${suffix}`, `${work}${suffix}`);
  const database = new DatabaseSync(work);
  change(database);
  database.close();
  if (checkpoints) await writeFile(`${work}.checkpoints`, checkpoints(await readFile(`${work}.checkpoints`, 'utf8')));
  const trail = await openAuditTrail(configOf({ database: `sqlite:${work}` }));
  try {
    return await trail.verify();
  } finally {
    await trail.close();
  }
}

const cli = (...args: string[]) => runCli(['audit', ...args, '--database', `sqlite:${work}`], { cwd: directory });

const run = (...statements: string[]) => (database: DatabaseSync) => {
  for (const statement of statements) database.exec(statement);
};

/** The whole chain from here on with right hashes, and its end, as someone who knows how it is made would write it. */
function relink(database: DatabaseSync): void {
  let previousHash = '0'.repeat(64);
  let sequence = 0;
  for (const row of database.prepare('select * from audit_entry order by sequence').all() as Record<string, string>[]) {
    sequence += 1;
    const json = (text: string | null | undefined) => (text == null ? null : (JSON.parse(text) as object));
    const link = { id: row['id'], sequence, at: new Date(Number(row['at'])), actor: json(row['actor']), action: row['action'], subject: row['subject'], before: json(row['before']), after: json(row['after']), previousHash };
    const hash = linkHash(link as unknown as AuditEntry);
    database.prepare('update audit_entry set sequence = ?, previous_hash = ?, hash = ? where id = ?').run(sequence, previousHash, hash, row['id'] ?? '');
    previousHash = hash;
  }
  database.prepare('update audit_head set sequence = ?, hash = ?').run(sequence, previousHash);
}

describe('audit verify', { timeout: 60_000 }, () => {
  it('says of a log that is as it was written that it is intact', async () => {
    expect(await verifyAfter(() => undefined)).toMatchObject({ kind: 'intact', entries: count, checkpoints: 1 });
    expect(await cli('verify')).toMatchObject({ code: 0, stdout: expect.stringMatching(new RegExp(`^intact: ${count} entries, 1 signed checkpoints agree; the last hash is [0-9a-f]{64}\n$`)) });
    expect(JSON.parse((await cli('verify', '--json')).stdout)).toMatchObject({ kind: 'intact', entries: count, checkpoints: 1 });
  });

  it.for<[string, (database: DatabaseSync) => void, number, string]>([
    ['an edited text', run("update audit_entry set after = replace(after, 'VIEWER', 'ADMIN') where sequence = 5"), 5, 'entry 5 is not what was written'],
    ['an edited time', run('update audit_entry set at = at + 1000 where sequence = 5'), 5, 'entry 5 is not what was written'],
    ['another actor', run(`update audit_entry set actor = '{"kind":"USER","id":"eve","name":"Eve"}' where sequence = 3`), 3, 'entry 3 is not what was written'],
    ['another action', run("update audit_entry set action = 'API_KEY_REVOKED' where sequence = 3"), 3, 'entry 3 is not what was written'],
    ['a text that is no JSON', run("update audit_entry set after = '{' where sequence = 4"), 4, 'entry 4 is not what was written'],
    ['an edited entry with a new hash', (database) => void database.prepare("update audit_entry set hash = ? where sequence = 6").run('f'.repeat(64)), 6, 'entry 6 is not what was written'],
    ['a removed entry', run('delete from audit_entry where sequence = 7'), 7, 'entry 7 is missing'],
    ['a removed entry, the others moved up', run('delete from audit_entry where sequence = 7', 'update audit_entry set sequence = -sequence where sequence > 7', 'update audit_entry set sequence = -sequence - 1 where sequence < 0'), 7, 'entry 7 does not follow entry 6'],
    ['a removed first entry', run('delete from audit_entry where sequence = 1'), 1, 'entry 1 is missing'],
    ['swapped entries', run('update audit_entry set sequence = -5 where sequence = 5', 'update audit_entry set sequence = 5 where sequence = 6', 'update audit_entry set sequence = 6 where sequence = -5'), 5, 'entry 5 does not follow entry 4'],
    ['an entry put in before', run("insert into audit_entry select 'aud_x', 0, at, actor, action, subject, before, after, previous_hash, hash from audit_entry where sequence = 1"), 0, 'entry 0 was put in'],
    ['an entry put at the end', run("insert into audit_entry select 'aud_x', 13, at, actor, action, subject, before, after, previous_hash, hash from audit_entry where sequence = 1"), 13, 'entry 13 does not follow entry 12'],
    ['a tail cut off', run('delete from audit_entry where sequence > 9'), 10, 'the log ends after entry 9, and had 12 entries when a checkpoint was signed'],
    ['a tail cut off, and the end noted anew', run('delete from audit_entry where sequence > 9', 'update audit_head set sequence = 9, hash = (select hash from audit_entry where sequence = 9)'), 10, 'the log ends after entry 9, and had 12 entries when a checkpoint was signed'],
    ['a chain that was deleted', run('delete from audit_entry', `update audit_head set sequence = 0, hash = '${'0'.repeat(64)}'`), 1, 'the log ends after entry 0, and had 12 entries when a checkpoint was signed'],
    ['an end that was deleted', run('delete from audit_head'), 13, 'the end of the log is not noted any more'],
    ['a chain written anew with right hashes', (database) => {
      run("update audit_entry set after = replace(after, 'VIEWER', 'ADMIN') where sequence = 5")(database);
      relink(database);
    }, 12, 'entry 12 is not the one that the checkpoint of'],
  ])('finds %s', async ([, change, sequence, what]) => {
    expect(await verifyAfter(change)).toEqual({ kind: 'broken', sequence, what: expect.stringContaining(what) });
  });

  it('says where the log is broken, with exit code 1', async () => {
    await verifyAfter(run('delete from audit_entry where sequence = 7'));
    expect(await cli('verify')).toEqual({ code: 1, stdout: 'broken at entry 7: entry 7 is missing\n', stderr: '' });
  });

  it('finds a tail that was cut off even without checkpoints, and a checkpoint that somebody else wrote', async () => {
    expect(await verifyAfter(run('delete from audit_entry where sequence > 9'), () => '')).toEqual({ kind: 'broken', sequence: 10, what: 'the log ends after entry 9, and its end is noted at 12' });
    expect(await verifyAfter(() => undefined, (lines) => lines.replace('"sequence":12', '"sequence":3'))).toEqual({ kind: 'broken', sequence: 3, what: 'the checkpoint in line 1 was not signed by this server' });
    expect(await verifyAfter(() => undefined, (lines) => `${lines}nonsense\n`)).toEqual({ kind: 'broken', sequence: 1, what: 'line 2 of the checkpoints is none' });
    expect(await verifyAfter(() => undefined, (lines) => `${lines}{"seq`)).toMatchObject({ kind: 'intact' }); // half a line, as a crash leaves it
  });

  it('exports every entry as it was hashed', async () => {
    await verifyAfter(() => undefined);
    const { code, stdout } = await cli('export');
    const entries = stdout.trim().split('\n').map((line) => JSON.parse(line) as AuditEntry);
    expect(code).toBe(0);
    expect(entries.map(({ sequence }) => sequence)).toEqual(Array.from({ length: count }, (_, index) => index + 1));
    for (const entry of entries) expect(linkHash({ ...entry, at: new Date(entry.at) })).toBe(entry.hash);
  });

  it('says what is missing: the database, its key', async () => {
    expect(await runCli(['audit', 'verify', '--database', 'sqlite:nothing.db'], { cwd: directory })).toEqual({ code: 2, stdout: '', stderr: 'countersign: There is no sqlite:nothing.db: give another file with --database sqlite:<file>\n' });
    await verifyAfter(() => undefined);
    await rm(`${work}.key`);
    expect(await cli('verify')).toMatchObject({ code: 2, stderr: expect.stringContaining('has no key file beside it') });
  });
});
