import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { schema } from '../../src/graphql/schema.ts';
import { startServer, type ServerProcess } from '../bench/server-process.ts';
import { runCli } from '../support/run-cli.ts';
import { Fuzzer, randomOf, type Operation } from './random-operation.ts';

const operations = Number(process.env['FUZZ_OPERATIONS'] ?? 2000);
const atOnce = 16;

/** Small, so that the heap finds its size soon, and what grows without end ends the server. */
const heapMegabytes = 192;

let directory: string;
let token: string;
let server: ServerProcess;
beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'countersign-fuzz-'));
  const made = await runCli(['keys', 'create', '--role', 'admin', '--name', 'fuzzer', '--database', 'sqlite:fuzz.db'], { cwd: directory });
  token = made.stdout.trim(); // for one of the first operations makes a key, and nobody is let in without one from then on
  process.env['COUNTERSIGN_LOG_LEVEL'] = 'error';
  server = await startServer([`--max-old-space-size=${heapMegabytes}`, 'src/cli/main.ts', 'serve', '--port', '0', '--database', `sqlite:${path.join(directory, 'fuzz.db')}`]);
}, 60_000);
afterAll(async () => {
  delete process.env['COUNTERSIGN_LOG_LEVEL'];
  await server.stop();
  await rm(directory, { recursive: true });
});

async function send({ query, variables }: Operation): Promise<{ status: number; body: { data?: Record<string, { id?: string } | null> | null; errors?: { message: string; extensions?: { code?: string } }[] } }> {
  const response = await fetch(server.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/graphql-response+json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query, variables }),
    signal: AbortSignal.timeout(20_000),
  });
  return { status: response.status, body: await response.json() };
}

/** One of each, for operations to name. */
async function seed(): Promise<string[]> {
  const create = async (field: string, input: object) => {
    const { body } = await send({ query: `mutation ($input: ${field.charAt(0).toUpperCase()}${field.slice(1)}Input!) { it: ${field}(input: $input) { ... on Node { id } } }`, variables: { input } });
    return body.data?.['it']?.id ?? '';
  };
  const agent = await create('createAgent', { name: 'fuzzed' });
  const session = await create('createSession', { agentId: agent });
  const child = await create('createSession', { agentId: agent, parentId: session });
  const policy = await create('createPolicy', { target: { agentId: agent }, name: 'os', handler: 'safety.ask_on_os_tools' });
  const evaluation = await create('evaluatePolicy', { sessionId: session, event: { toolCall: { name: 'Bash' } }, waitSeconds: 0 });
  const { body } = await send({ query: '{ elicitations { edges { node { id } } } }', variables: {} });
  const [, elicitation = ''] = /"id":"(elc_\w+)"/.exec(JSON.stringify(body)) ?? [];
  const ids = [agent, session, child, policy, evaluation, elicitation];
  expect(ids.every((id) => /^\w{3}_\w{26}$/.test(id))).toBe(true);
  return ids;
}

async function run(fuzzer: Fuzzer, count: number): Promise<Map<string, number>> {
  const codes = new Map<string, number>();
  let left = count;
  const worker = async () => {
    while (left > 0) {
      left -= 1;
      const operation = fuzzer.next();
      const { status, body } = await send(operation);
      expect([200, 400], JSON.stringify(operation)).toContain(status);
      for (const { message, extensions } of body.errors ?? []) {
        const code = extensions?.code ?? 'none';
        codes.set(code, (codes.get(code) ?? 0) + 1);
        expect(code, `${message}: ${JSON.stringify(operation)}`).not.toBe('INTERNAL_SERVER_ERROR');
      }
      if (body.data) codes.set('data', (codes.get('data') ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return codes;
}

it(`answers ${operations} random operations without an internal error, a hang or growth`, { timeout: Math.max(600_000, operations * 180) }, async () => {
  const ids = await seed();
  const fuzzer = new Fuzzer(schema, { random: randomOf(Number(process.env['PROPERTY_SEED'] ?? 20_261_202)), ids });
  await run(fuzzer, Math.ceil(operations / 4)); // fills what is cached and lets the heap find its size
  const before = await server.residentBytes();
  const codes = await run(fuzzer, operations);
  await new Promise((resolve) => setTimeout(resolve, 3000));
  const after = await server.residentBytes();
  expect(codes.get('data')).toBeGreaterThan(operations / 4);
  expect((await send({ query: '{ viewer { id } }', variables: {} })).status).toBe(200);
  const figures = `resident: ${before} before, ${after} after`;
  expect(after, figures).toBeLessThan(2.5 * heapMegabytes * 1_048_576);
  // A short run ends before the heap has found its size.
  if (operations >= 10_000) expect(after / before, figures).toBeLessThan(1.2);
});
