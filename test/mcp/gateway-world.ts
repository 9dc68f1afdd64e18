import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { ClientCapabilities } from '@modelcontextprotocol/sdk/types.js';
import type { CreatePolicyInput } from '../../src/gate/create-policy.ts';
import { createPolicy } from '../../src/gate/create-policy.ts';
import { createClient, type Elicitation } from '../../src/sdk/index.ts';
import { eventually, expectKind } from '../support/journey.ts';
import type { TestServer } from '../support/start-server.ts';

const root = path.join(import.meta.dirname, '../..');
const packages = path.join(root, 'node_modules/@modelcontextprotocol');
const program = path.join(root, 'src/cli/main.ts');

export const everything = [process.execPath, path.join(packages, 'server-everything/dist/index.js')];
export const filesystem = (folder: string) => [process.execPath, path.join(packages, 'server-filesystem/dist/index.js'), folder];

export interface Connected {
  readonly client: Client;
  readonly transport: StdioClientTransport;
  /** What it said on stderr. */
  readonly said: () => string;
}

export interface ConnectOptions {
  readonly capabilities?: ClientCapabilities;
  readonly env?: Record<string, string>;
  /** Before it connects, such as handlers for what the server asks. */
  readonly prepare?: (client: Client) => void;
}

/** MCP's own client, connected to a program. */
export async function connect(command: readonly string[], { capabilities = {}, env = {}, prepare }: ConnectOptions = {}): Promise<Connected> {
  const [first = '', ...args] = command;
  const transport = new StdioClientTransport({ command: first, args, env: { PATH: process.env.PATH ?? '', ...env }, stderr: 'pipe' });
  let said = '';
  transport.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const client = new Client({ name: 'test-client', version: '1' }, { capabilities });
  prepare?.(client);
  await client.connect(transport);
  return { client, transport, said: () => said };
}

/** The client, connected to a server through the gateway. */
export function connectThrough(server: TestServer, words: readonly string[], { env, ...options }: ConnectOptions = {}): Promise<Connected> {
  return connect([process.execPath, program, 'mcp', ...words], { env: { COUNTERSIGN_URL: server.url, XDG_CONFIG_HOME: '/nonexistent', ...env }, ...options });
}

/** A policy on the server: by default one that asks about every call of a tool. */
export async function attach(server: TestServer, policy: Partial<CreatePolicyInput> = {}): Promise<void> {
  const asks = { target: { server: true }, name: `policy ${Math.random()}`, handler: 'safety.fixed_action', params: { action: 'ask', reason: 'Every call is looked at.' }, on: [{ phase: 'TOOL_CALL' as const }] };
  expectKind(await createPolicy(server.openGate(), { ...asks, ...policy }), 'created');
}

/** What a person has before them. */
export function pendingAt(url: string): Promise<Elicitation> {
  return eventually(async () => (await listPending(url))[0]);
}

export async function listPending(url: string): Promise<Elicitation[]> {
  using approver = createClient({ url, transport: 'http' });
  const { edges } = await approver.elicitations({ filter: { status: 'PENDING' } });
  return edges.map(({ node }) => node);
}

export async function resolve(url: string, input: Parameters<ReturnType<typeof createClient>['resolve']>[0]): Promise<Elicitation> {
  using approver = createClient({ url, transport: 'http' });
  return await approver.resolve(input); // not closed before
}

export function textOf(result: unknown): string {
  return (result as { content: { text: string }[] }).content.map(({ text }) => text).join('\n');
}
