import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openClient, type BenchClient } from './client.ts';
import { compareRates, concurrency, type Lane } from './compare-rates.ts';
import { createPolicy, evaluate } from './documents.ts';
import type { Row } from './figures.ts';
import { startCountersign } from './server-process.ts';
import { allowedCall, setUpSession } from './setup.ts';

const evaluations = 1_000_000;
const sessions = 10_000;
const policyCounts = [10, 100];

/** ALLOWs on a database with a million evaluations, spread over ten thousand sessions, against an empty one. */
export async function storedRows(directory: string): Promise<Row> {
  const fullFile = path.join(directory, 'full.db');
  const first = await startCountersign(fullFile);
  const client = openClient(first.url, 1);
  const template = await setUpSession(client);
  await client.call('mutation ($input: EvaluatePolicyInput!) { evaluatePolicy(input: $input) { __typename } }', allowedCall(template));
  await client.close();
  await first.stop();
  const ids = fill(fullFile, template);

  const [full, empty] = await Promise.all([startCountersign(fullFile), startCountersign(path.join(directory, 'empty.db'))]);
  const [fullClient, emptyClient] = [openClient(full.url, concurrency), openClient(empty.url, concurrency)];
  const startedAt = performance.now();
  await Promise.all(ids.map((id) => fullClient.call(evaluate, allowedCall(id)))); // reads each session once: a hot path is what is compared
  const coldRate = ids.length / ((performance.now() - startedAt) / 1000);
  const { ratio, ours, theirs } = await compareRates({ client: fullClient, variables: eachInTurn(ids) }, { client: emptyClient, variables: allowedCall(await setUpSession(emptyClient)) });
  await Promise.all([fullClient.close(), emptyClient.close()]);
  await Promise.all([full.stop(), empty.stop()]);
  return {
    what: 'ALLOW with 1,000,000 stored evaluations, over 10,000 sessions in turn, against an empty database',
    figure: `${ratio.toFixed(2)} (${ours.toFixed(0)} of ${theirs.toFixed(0)} calls/s; each session's first call after the start: ${coldRate.toFixed(0)} calls/s)`,
    bar: '≥ 0.9',
    held: ratio >= 0.9,
  };
}

/** Copies of one session and of one evaluation, under ids of their own. Without the policies: what is measured is the size of the database. */
function fill(file: string, template: string): readonly string[] {
  const database = new DatabaseSync(file);
  const columns = (table: string) => (database.prepare(`select name from pragma_table_info('${table}')`).all() as { name: string }[]).map(({ name }) => `"${name}"`);
  const copy = (table: string, changed: Readonly<Record<string, string>>, from: string) => {
    const names = columns(table);
    database.exec(`insert into ${table} (${names.join(', ')}) select ${names.map((name) => changed[name.slice(1, -1)] ?? `one.${name}`).join(', ')} from ${from}`);
  };
  const series = (count: number) => `(with recursive counter(n) as (select 1 union all select n + 1 from counter where n < ${count}) select n from counter)`;
  const idOf = (prefix: string, n: string) => `'${prefix}_' || printf('%026d', ${n})`;
  const sessionOf = (n: string) => idOf('ses', `1 + (${n} % ${sessions})`);
  database.exec('pragma journal_mode = wal; pragma synchronous = off');
  copy('session', { id: idOf('ses', 'n'), path: `${idOf('ses', 'n')} || '/'` }, `${series(sessions)}, session as one where one.id = '${template}'`);
  copy('evaluation', { id: idOf('evl', 'n'), session_id: sessionOf('n') }, `${series(evaluations)}, (select * from evaluation where session_id = '${template}' limit 1) as one`);
  const ids = (database.prepare("select id from session where id like 'ses_0000%'").all() as { id: string }[]).map(({ id }) => id);
  database.exec('pragma wal_checkpoint(truncate)');
  database.close();
  return ids;
}

/** The variables of a call, of another session each time that they are read. */
function eachInTurn(ids: readonly string[]): object {
  let next = 0;
  return {
    get input() {
      next = (next + 1) % ids.length;
      return allowedCall(ids[next] ?? '').input;
    },
  };
}

/** ALLOWs under more and more policies, against none. */
export async function morePolicies(directory: string): Promise<Row> {
  const server = await startCountersign(path.join(directory, 'policies.db'));
  const client = openClient(server.url, concurrency);
  const none = await laneWith(client, 0);
  const figures: string[] = [];
  for (const count of policyCounts) {
    const { ratio } = await compareRates(await laneWith(client, count), none);
    figures.push(`${count}: ${ratio.toFixed(2)}`);
  }
  await client.close();
  await server.stop();
  return { what: 'ALLOW under so many policies more, against three', figure: figures.join(', '), bar: 'reported', held: null };
}

async function laneWith(client: BenchClient, more: number): Promise<Lane> {
  const sessionId = await setUpSession(client);
  for (let index = 0; index < more; index += 1) {
    await client.call(createPolicy, { input: { target: { sessionId }, name: `more ${index}`, handler: 'safety.block_skills', params: { blocked: [`skill ${index}`] } } });
  }
  return { client, variables: allowedCall(sessionId) };
}
