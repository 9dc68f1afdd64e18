import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { builtinRegistry } from '../../src/policy/index.ts';
import { startCli } from '../support/run-cli.ts';
import { says, startModelServer, status, type ModelServer } from '../support/model-server.ts';
import { startTestServer } from '../support/start-server.ts';
import { clientOf } from './client.ts';
import { fencesIn, fenceWith, readPage, root } from './fences.ts';
import { run } from './program.ts';
import { writeSnippets } from './write-snippets.ts';

const page = 'docs/model-judges.md';

let cwd: string;
let model: ModelServer;

beforeAll(async () => {
  cwd = await mkdtemp(path.join(tmpdir(), 'countersign-docs-'));
  await writeFile(path.join(cwd, 'countersign.config.ts'), fenceWith(page, 'export default').text);
  await writeFile(path.join(cwd, 'rule.jsonl'), fenceWith(page, '"rule-1"').text);
});
afterAll(() => rm(cwd, { recursive: true }));

beforeEach(async () => {
  model = await startModelServer();
});
afterEach(() => model.close());

describe('the page on policies that ask a model', () => {
  it('has a configuration that is taken', async () => {
    const snippets = await writeSnippets(page);
    try {
      const { llm } = await loadConfig({ env: { COUNTERSIGN_LLM_API_KEY: 'sk-mine' }, directory: snippets.folder });
      expect(llm).toMatchObject({ model: 'gpt-4.1-mini', apiKey: 'sk-mine', fallbacks: ['gpt-4.1', { model: 'qwen3:8b', apiKey: null }] });
    } finally {
      await snippets.remove();
    }
  });

  it.each(fencesIn(page).filter(({ language }) => language === 'console').map(({ text }) => [text]))('has commands that say what it shows: %s', async (text) => {
    const [command = '', ...output] = text.split('\n');
    const program = run('bash', ['-c', `countersign() { node ${path.join(root, 'src/cli/main.ts')} "$@"; }; ${command.replace(/^\$ /, '')}`], { cwd });
    await program.exit;
    expect(program.output.trimEnd()).toBe(output.join('\n'));
  });

  it('names every handler that asks, with its phases', () => {
    const rows = [...readPage(page).matchAll(/^\| `((?:prompt|routing|context)\.\w+)` \| ((?:`[A-Z_]+`(?:, )?)+|every phase) \|/gm)].map(([, name = '', phases = '']) => ({ name, phases: [...phases.matchAll(/`(\w+)`/g)].map(([, phase]) => phase) }));
    expect(rows).toHaveLength(4);
    for (const { name, phases } of rows) expect({ name, phases: phases.length > 0 ? phases : builtinRegistry().find(name)?.phases }).toEqual({ name, phases: builtinRegistry().find(name)?.phases });
  });
});

describe('a server with a model, as its users see it', () => {
  const evaluate = 'mutation ($input: EvaluatePolicyInput!) { evaluatePolicy(input: $input) { ... on Evaluation { verdict reason } ... on Error { message } } }';

  it('judges by the rule', async () => {
    model.replies(says({ action: 'deny', reason: 'It deletes.' }));
    const server = await startTestServer({ llm: { baseUrl: `${model.baseUrl}/`, model: 'judge' } });
    try {
      const client = clientOf(server.url);
      const sessionId = await client.startAskingSession();
      const policy = { target: { sessionId }, name: 'rule', handler: 'prompt.prompt_policy', params: { prompt: 'Deny what deletes.' } };
      await client.ask('mutation ($input: CreatePolicyInput!) { createPolicy(input: $input) { ... on Policy { id } ... on Error { message } } }', { input: policy });
      const input = { sessionId, event: { toolCall: { name: 'note', arguments: { text: 'x' } } } };
      expect(await client.ask(evaluate, { input })).toEqual({ verdict: 'DENY', reason: 'It deletes.' });
      expect(model.requests[0]?.path).toBe('/v1/chat/completions');
    } finally {
      await server.remove();
    }
  });

  it('logs why there was no answer as the page shows it, and neither key nor content', async () => {
    model.replies(status(401));
    const env = { COUNTERSIGN_LLM_BASE_URL: model.baseUrl, COUNTERSIGN_LLM_MODEL: 'judge', COUNTERSIGN_LLM_API_KEY: 'sk-very-secret', COUNTERSIGN_LOG_LEVEL: 'trace' };
    const program = startCli(['serve', '--port', '0', '--database', 'sqlite::memory:'], { cwd, env });
    const url = (await program.ready).replace('countersign ready ', '');
    const client = clientOf(url);
    const sessionId = await client.startAskingSession();
    const policy = { target: { sessionId }, name: 'rule', handler: 'prompt.prompt_policy', params: { prompt: 'a private rule' } };
    await client.ask('mutation ($input: CreatePolicyInput!) { createPolicy(input: $input) { ... on Policy { id } ... on Error { message } } }', { input: policy });
    const input = { sessionId, event: { toolCall: { name: 'note', arguments: { text: 'private content' } } } };
    expect(await client.ask(evaluate, { input })).toMatchObject({ verdict: 'DENY' });
    program.process.kill('SIGTERM');
    const { stderr, stdout } = await program.result;
    expect(model.requests[0]?.headers.authorization).toBe('Bearer sk-very-secret');
    expect(`${stderr}${stdout}`).not.toMatch(/sk-very-secret|private/);
    const line = stderr.split('\n').find((text) => text.includes('"the model gave no answer"')) ?? '{}';
    expect(Object.keys(JSON.parse(line))).toEqual(Object.keys(JSON.parse(fenceWith(page, '"the model gave no answer"').text)));
    expect(JSON.parse(line)).toMatchObject({ level: 40, model: 'judge', why: 'status 401' });
  });
});
