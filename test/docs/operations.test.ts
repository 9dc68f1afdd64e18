import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { startCli } from '../support/run-cli.ts';
import { startTestServer } from '../support/start-server.ts';
import { clientOf } from './client.ts';
import { configTable, smallestIssuer, smallestModel } from './config-table.ts';
import { fencesIn, fenceWith, readPage, root } from './fences.ts';
import { run } from './program.ts';
import { writeSnippets } from './write-snippets.ts';

const page = 'docs/operations.md';

let cwd: string;
beforeAll(async () => {
  cwd = await mkdtemp(path.join(tmpdir(), 'countersign-docs-'));
});
afterAll(() => rm(cwd, { recursive: true }));

describe('the commands', { timeout: 90_000 }, () => {
  const terminal = fencesIn(page).filter(({ language }) => language === 'console').map(({ text }) => text).join('\n');
  const examples = terminal.split(/^\$ /m).slice(1).map((example) => {
    const end = example.indexOf('\n');
    return { command: example.slice(0, end), output: example.slice(end + 1).trimEnd() };
  });

  it('are shown, each of them', () => {
    expect(new Set(examples.map(({ command }) => /countersign (\w+)/.exec(command)?.[1]))).toEqual(new Set(['migrate', 'serve', 'keys', 'policy', 'config']));
  });

  it('say what the page shows', async () => {
    const isInOrder = ({ command }: { command: string }) => /^countersign (migrate|serve$)/.test(command); // each finds the database as the one before left it
    const check = async ({ command, output }: { command: string; output: string }) => expect(`$ ${command}\n${await outputOf(command)}`).toBe(`$ ${command}\n${output}`);
    const inOrder = async () => {
      for (const example of examples.filter(isInOrder)) await check(example);
    };
    await Promise.all([inOrder(), ...examples.filter((example) => !isInOrder(example)).map(check)]);
  });

  /** With what differs from run to run as the page has it. */
  async function outputOf(command: string): Promise<string> {
    if (command === 'countersign serve') return firstLineOfServe();
    const program = run('bash', ['-c', `countersign() { node ${path.join(root, 'src/cli/main.ts')} "$@"; }; ${command}`], { cwd, env: { COUNTERSIGN_PORT: '0' } });
    await program.exit;
    return program.output.trimEnd().replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '2026-01-31T12:00:00.000Z');
  }

  async function firstLineOfServe(): Promise<string> {
    const server = startCli(['serve', '--port', '0'], { cwd });
    const line = await server.ready;
    server.process.kill('SIGTERM');
    const { code, stdout, stderr } = await server.result;
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${line}\n` });
    const logged = stderr.trim().split('\n').map((text) => JSON.parse(text));
    expect(Object.keys(logged[0])).toEqual(Object.keys(JSON.parse(fenceWith(page, '"serving"').text)));
    return line.replace(/:\d+\//, ':4000/');
  }
});

describe('the configuration', () => {
  const table = configTable();

  it('is the table that the page has', () => {
    const rows = table.map(({ key, variable, byDefault, text }) => `| \`${key}\` | \`${variable}\` | ${byDefault === undefined ? 'none' : `\`${JSON.stringify(byDefault)}\``} | ${text} |`);
    const [, shown = ''] = /^\| key \| variable \| default \| value \|\n\| --- \| --- \| --- \| --- \|\n(.*?)\n\n/ms.exec(readPage(page)) ?? [];
    expect(shown.split('\n')).toEqual(rows);
  });

  it.each(table)('$key is set by $variable', async ({ path: keys, key, variable, byDefault }) => {
    const { text, value } = objects.has(key) ? { text: '[{"a":1}]', value: [{ a: 1 }] } : other(byDefault, key);
    const { issuer, audience, jwksUrl } = smallestIssuer;
    const neededBy: Readonly<Record<string, Record<string, string>>> = {
      llm: { COUNTERSIGN_LLM_BASE_URL: smallestModel.baseUrl, COUNTERSIGN_LLM_MODEL: smallestModel.model },
      oidc: { COUNTERSIGN_OIDC_ISSUER: issuer, COUNTERSIGN_OIDC_AUDIENCE: audience, COUNTERSIGN_OIDC_JWKS_URL: jwksUrl, COUNTERSIGN_OIDC_ROLES: '{}' },
    };
    const needed = neededBy[keys[0] ?? ''] ?? {};
    const config = await loadConfig({ env: { ...needed, [variable]: text }, directory: cwd });
    expect(keys.reduce<unknown>((inner, key) => Reflect.get(inner as object, key), config)).toEqual(value);
  });

  const objects = new Set(['serverPolicies', 'labelDefinitions']);
  const texts = new Map([
    ['127.0.0.1', '::1'],
    ['sqlite:countersign.db', 'sqlite:other.db'],
    ['info', 'debug'],
  ]);

  /** Another value than the default, as a variable has it and as it is then. */
  function other(byDefault: unknown, key: string): { text: string; value: unknown } {
    if (typeof byDefault === 'number') return { text: String(byDefault + 1), value: byDefault + 1 };
    if (typeof byDefault === 'boolean') return { text: String(!byDefault), value: !byDefault };
    if (byDefault === undefined && key === 'oidc.roles') return { text: '{"a":"ADMIN"}', value: { a: 'ADMIN' } };
    if (key === 'maskArguments.shapes') return { text: 'jwt, bearer', value: ['jwt', 'bearer'] };
    if (key === 'retentionDays') return { text: '30', value: 30 };
    if (key === 'secretKey') return { text: 'k'.repeat(32), value: 'k'.repeat(32) };
    if (key === 'redisUrl') return { text: 'rediss://cache.example/1', value: 'rediss://cache.example/1' };
    if (key === 'trustedDocuments.file') return { text: '/etc/documents.json', value: '/etc/documents.json' };
    if (key === 'oidc.algorithms') return { text: 'ES384, PS256', value: ['ES384', 'PS256'] };
    if (Array.isArray(byDefault)) return { text: 'https://a.example, https://b.example', value: ['https://a.example', 'https://b.example'] };
    const text = texts.get(String(byDefault)) ?? 'https://gate.example';
    return { text, value: text };
  }

  it('can be written as the page writes it', async () => {
    const snippets = await writeSnippets(page);
    try {
      const config = await loadConfig({ env: {}, directory: snippets.folder });
      expect(config).toMatchObject({ port: 4001, logLevel: 'warn', keepAlive: { headersAfterSeconds: 10, blankEverySeconds: 5 } });
    } finally {
      await snippets.remove();
    }
  });

  it('has every key that the pages name', () => {
    const named = [...`${readPage(page)}${readPage('docs/agents.md')}`.matchAll(/`((?:limits|keepAlive)\.\w+)`/g)].map(([, key]) => key);
    expect(named.length).toBeGreaterThan(5);
    expect(table.map(({ key }) => key)).toEqual(expect.arrayContaining(named));
  });
});

describe('a backup that is made while the server runs, as the page makes it', () => {
  it('has what is pending, and can be restored', async () => {
    const server = await startTestServer();
    const sessionId = await clientOf(server.url).startAskingSession();
    const evaluate = 'mutation ($input: EvaluatePolicyInput!) { evaluatePolicy(input: $input) { ... on Evaluation { verdict } } }';
    const input = { sessionId, idempotencyKey: 'toolu_01', event: { toolCall: { name: 'Bash', arguments: { command: 'ls' } } } };
    await clientOf(server.url).ask(evaluate, { input: { ...input, waitSeconds: 0 } });
    try {
      const shell = run('bash', ['-c', fenceWith(page, 'node:sqlite').text], { cwd: path.dirname(server.databaseFile) });
      expect(await shell.exit, shell.output).toBe(0);
      await cp(path.join(path.dirname(server.databaseFile), 'backup-node.db'), path.join(cwd, 'restored.db'));
      await cp(`${server.databaseFile}.key`, path.join(cwd, 'restored.db.key'));
    } finally {
      await server.remove();
    }

    const restored = await startTestServer({ database: `sqlite:${path.join(cwd, 'restored.db')}` });
    try {
      const { id: elicitationId } = await clientOf(restored.url).pendingOf(sessionId);
      expect(await clientOf(restored.url).resolve({ elicitationId, action: 'ACCEPT' })).toBe('ACCEPTED');
      expect(await clientOf(restored.url).ask(evaluate, { input })).toEqual({ verdict: 'ALLOW' });
    } finally {
      await restored.remove();
    }
  });
});
