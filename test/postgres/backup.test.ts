import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { it } from 'vitest';
import { openDatabase } from '../../src/entities/open-database.ts';
import { resolveElicitation } from '../../src/gate/resolve-elicitation.ts';
import { fenceWith } from '../docs/fences.ts';
import { bash, expectKind, pending, startAskingSession } from '../support/journey.ts';
import { evaluatePolicy } from '../../src/gate/evaluate-policy.ts';
import { openTestGate } from '../support/open-gate.ts';
import { createDatabase } from '../support/test-database.ts';

const page = 'docs/operations.md';
const run = promisify(execFile);

/** The tools must be at least as new as the server. */
const serverMajor = 18;
const { status, stdout } = spawnSync('pg_dump', ['--version'], { encoding: 'utf8' });
const canDump = status === 0 && Number(/(\d+)\./.exec(stdout)?.[1]) >= serverMajor;

it.skipIf(!canDump)('a backup of PostgreSQL that is made while a server runs, as the page makes it, has what is pending and can be restored', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'countersign-backup-'));
  const [database, other] = [await createDatabase(), await createDatabase()];
  const shell = (text: string, url: string) => run('bash', ['-ec', text], { cwd: folder, env: { ...process.env, COUNTERSIGN_DATABASE: url } });
  const test = await openTestGate({ database: database.url });
  try {
    const session = await startAskingSession(test.open());
    expectKind(await evaluatePolicy(test.open(), bash(session, 'ls', { waitSeconds: 0 })), 'evaluated');
    await shell(fenceWith(page, 'pg_dump').text, database.url);

    const empty = await openDatabase(other.url);
    await empty.em.getConnection().execute('drop schema public cascade; create schema public');
    await empty.close();
    await shell(fenceWith(page, 'pg_restore').text, other.url);
    const restored = await openTestGate({ database: other.url });
    const [asked] = await pending(restored.open(), session);
    expectKind(await resolveElicitation(restored.open(), { elicitationId: asked?.id ?? '', action: 'ACCEPT' }), 'resolved');
    await restored.close();
  } finally {
    await test.close();
    await database.remove();
    await other.remove();
    await rm(folder, { recursive: true });
  }
});
