import { CreateMessageRequestSchema, ElicitRequestSchema, ListRootsRequestSchema, LoggingMessageNotificationSchema, ResourceListChangedNotificationSchema, ToolListChangedNotificationSchema, type ClientCapabilities } from '@modelcontextprotocol/sdk/types.js';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../support/journey.ts';
import { startTestServer, type TestServer } from '../support/start-server.ts';
import { connect, connectThrough, everything, textOf, type Connected } from './gateway-world.ts';

const capabilities: ClientCapabilities = { roots: { listChanged: true }, sampling: {}, elicitation: { form: {}, url: {} } };

interface Side extends Connected {
  /** Methods that the server has called or notified, in order. */
  readonly heard: string[];
}

let server: TestServer;
let direct: Side;
let gated: Side;

async function open(connecting: (prepare: (client: Client) => void) => Promise<Connected>): Promise<Side> {
  const heard: string[] = [];
  const prepare = (client: Client) => {
    client.setRequestHandler(ListRootsRequestSchema, () => (heard.push('roots/list'), { roots: [{ uri: 'file:///tmp/work', name: 'work' }] }));
    client.setRequestHandler(CreateMessageRequestSchema, () => (heard.push('sampling/createMessage'), { role: 'assistant', model: 'test', content: { type: 'text', text: 'I say so.' } }));
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => (heard.push(`elicitation/create ${params.message}`), { action: 'decline' }));
    for (const schema of [LoggingMessageNotificationSchema, ResourceListChangedNotificationSchema, ToolListChangedNotificationSchema]) client.setNotificationHandler(schema, ({ method }) => void heard.push(method));
  };
  return { ...(await connecting(prepare)), heard };
}

beforeAll(async () => {
  server = await startTestServer();
  direct = await open((prepare) => connect(everything, { capabilities, prepare }));
  gated = await open((prepare) => connectThrough(server, ['--', ...everything], { capabilities, prepare }));
}, 60_000);
afterAll(async () => {
  await direct.client.close();
  await gated.client.close();
  await server.remove();
});

it.each<[string, (client: Client) => unknown]>([
  ['who the server is', (client) => ({ version: client.getServerVersion(), capabilities: client.getServerCapabilities(), instructions: client.getInstructions() })],
  ['its tools', (client) => client.listTools()],
  ['its resources', (client) => client.listResources()],
  ['templates of resources', (client) => client.listResourceTemplates()],
  ['its prompts', (client) => client.listPrompts()],
  ['a prompt', (client) => client.getPrompt({ name: 'args-prompt', arguments: { city: 'Bern' } })],
  ['completions', (client) => client.complete({ ref: { type: 'ref/prompt', name: 'completable-prompt' }, argument: { name: 'department', value: 'E' } })],
  ['a ping', (client) => client.ping()],
  ['the log level', (client) => client.setLoggingLevel('debug')],
  ['a result with structure', (client) => client.callTool({ name: 'get-structured-content', arguments: { location: 'New York' } })],
  ['an image', (client) => client.callTool({ name: 'get-tiny-image' })],
])('passes on, unchanged: %s', { timeout: 60_000 }, async (_what, ask) => {
  expect(await ask(gated.client)).toEqual(await ask(direct.client));
});

it('passes on the errors of the server with their codes', { timeout: 60_000 }, async () => {
  const failure = (client: Client) => client.readResource({ uri: 'demo://nothing' }).catch((error: unknown) => ({ ...(error as object), text: String(error) }));
  expect(await failure(gated.client)).toEqual(await failure(direct.client));
});

it('passes on what the server asks of the client: roots, sampling, elicitation', { timeout: 60_000 }, async () => {
  await eventually(async () => gated.heard.includes('roots/list')); // which it asks for by itself, a moment after it was connected
  expect(textOf(await gated.client.callTool({ name: 'trigger-sampling-request', arguments: { prompt: 'Say so', maxTokens: 10 } }))).toContain('I say so.');
  expect(textOf(await gated.client.callTool({ name: 'get-roots-list' }))).toContain('file:///tmp/work');
  await gated.client.callTool({ name: 'trigger-elicitation-request' });
  expect(gated.heard.filter((method) => /^(roots|sampling|elicitation)/.test(method))).toEqual(['roots/list', 'sampling/createMessage', expect.stringMatching(/^elicitation\/create /)]);
});

it('passes on notifications: logging, progress', { timeout: 60_000 }, async () => {
  await gated.client.callTool({ name: 'toggle-simulated-logging' });
  await eventually(async () => gated.heard.includes('notifications/message'));
  const progress: number[] = [];
  await gated.client.callTool({ name: 'trigger-long-running-operation', arguments: { duration: 1, steps: 4 } }, undefined, { onprogress: (step) => void progress.push(step.progress) });
  expect(progress).toEqual([1, 2, 3, 4]);
});
