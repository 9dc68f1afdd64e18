import path from 'node:path';
import { openClient, type BenchClient } from './client.ts';
import { compareRates, concurrency } from './compare-rates.ts';
import { createAgent, createApiKey, createSession } from './documents.ts';
import type { Row } from './figures.ts';
import { startCountersign, type ServerProcess } from './server-process.ts';
import { allowedCall, setUpSession } from './setup.ts';

export async function allowOverHttp(countersign: ServerProcess, bareYoga: ServerProcess): Promise<Row> {
  const [client, bare] = [openClient(countersign.url, concurrency), openClient(bareYoga.url, concurrency)];
  const variables = allowedCall(await setUpSession(client));
  const { ratio, ours, theirs } = await compareRates({ client, variables }, { client: bare, variables });
  await Promise.all([client.close(), bare.close()]);
  return { what: 'ALLOW over HTTP, 3 policies, durable, against bare Yoga', figure: `${ratio.toFixed(2)} (${ours.toFixed(0)} of ${theirs.toFixed(0)} calls/s)`, bar: '≥ 0.75', held: ratio >= 0.75 };
}

/** What credentials, roles and rates cost: an agent with a key on one server, the local user on another. Nothing of an ALLOW is in the audit log. */
export async function allowWithKey(directory: string): Promise<Row> {
  const keyless = await startCountersign(path.join(directory, 'keyless.db')); // as fresh as the other: a server that has run for long is faster
  const server = await startCountersign(path.join(directory, 'keyed.db'));
  const local = openClient(server.url, 1);
  const admin = openClient(server.url, 1, await tokenOf(local, { role: 'ADMIN', name: 'root' }));
  const keyed = openClient(server.url, concurrency, await tokenOf(admin, { role: 'AGENT', name: 'bench agent', owner: 'ann' }));
  const { id: agentId } = await admin.call<{ id: string }>(createAgent, { input: { name: 'agent' } });
  const { id: sessionId } = await keyed.call<{ id: string }>(createSession, { input: { agentId } });
  const open = openClient(keyless.url, concurrency);
  const without = await open.call<{ id: string }>(createAgent, { input: { name: 'agent without a key' } });
  const session = await open.call<{ id: string }>(createSession, { input: { agentId: without.id } });
  const { ratio, ours, theirs } = await compareRates({ client: keyed, variables: allowedCall(sessionId) }, { client: open, variables: allowedCall(session.id) });
  await Promise.all([local, admin, keyed, open].map((client) => client.close()));
  await Promise.all([server, keyless].map((each) => each.stop()));
  return { what: 'ALLOW over HTTP with a key, against the local user', figure: `${ratio.toFixed(2)} (${ours.toFixed(0)} of ${theirs.toFixed(0)} calls/s)`, bar: '≥ 0.9', held: ratio >= 0.9 };
}

async function tokenOf(client: BenchClient, input: object): Promise<string> {
  const { token } = await client.call<{ token: string }>(createApiKey, { input });
  return token;
}
