import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCli } from '../support/run-cli.ts';
import { inProcess } from './in-process.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'countersign-policy-test-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function fileOf(name: string, ...lines: readonly unknown[]): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'));
  return file;
}

const call = (name: string, args = {}) => ({ type: 'tool_call', target: name, data: { name, arguments: args } });
const asks = { id: 'a-1', policy: 'safety.ask_on_os_tools', params: {}, event: call('Bash'), expect: { result: 'ASK' } };
const denies = { id: 'd-1', policy: 'safety.block_skills', params: { blocked: ['deploy'] }, event: call('Skill', { skill: 'deploy' }), expect: { result: 'DENY' } };

describe('vectors that hold', () => {
  it('are counted on the last line, and the exit code is 0', async () => {
    expect(await inProcess('policy', 'test', await fileOf('mine.jsonl', asks, '', denies, ''))).toEqual({ code: 0, stdout: '2 passed, 0 failed\n', stderr: '' });
  });

  it('come from several files, with a byte order mark and Windows line ends as well', async () => {
    const windows = await fileOf('windows.jsonl', `\uFEFF${JSON.stringify(asks)}\r\n${JSON.stringify(denies)}\r\n`);
    expect(await inProcess('policy', 'test', windows, await fileOf('other.jsonl', asks))).toEqual({ code: 0, stdout: '3 passed, 0 failed\n', stderr: '' });
  });

  it('may have any form: sequences, model answers, refused params, lists of verdicts', async () => {
    const limit = { id: 's-1', policy: 'max_tool_calls_per_session', params: { limit: 1 } };
    const lines = [
      { ...limit, steps: [{ event: call('Read') }, { reset_turn: true }, { event: call('Read') }], expect: { steps: [{ result: 'ALLOW', state_updates: [{ key: '_policy_tool_call_count', action: 'increment', value: 1 }] }, null, { accept: ['DENY'] }] } },
      { id: 's-2', policy: 'block_skills', params: {}, event: null, expect: { build_error: true } },
      { id: 's-3', policy: 'ask_on_os_tools', family: 'safety', params: {}, event: call('Bash'), expect: { accept: ['ASK', 'DENY'], best: 'ASK' } },
      { id: 's-4', policy: 'omnigent.policies.builtins.safety.ask_on_os_tools', params: {}, event: call('search'), expect: { result: null } },
      { id: 's-5', policy: 'prompt_policy', family: 'prompt', params: { prompt: 'Is it rude?' }, event: call('Bash'), llm_answer: '{"action": "DENY", "reason": "rude"}', expect: { result: 'DENY', llm_called: true } },
    ];
    expect(await inProcess('policy', 'test', await fileOf('safety.jsonl', ...lines))).toMatchObject({ code: 0, stdout: '5 passed, 0 failed\n' });
  });

  it('may come from stdin', async () => {
    const cli = startCli(['policy', 'test', '-'], { cwd: folder });
    cli.process.stdin?.end(`${JSON.stringify(asks)}\n${JSON.stringify({ ...denies, expect: { result: 'ALLOW' } })}\n`);
    expect(await cli.result).toEqual({ code: 1, stdout: expect.stringMatching(/^d-1: wanted ALLOW, got DENY: .*\n1 passed, 1 failed\n$/), stderr: '' });
  });
});

describe('vectors that fail', () => {
  it('get a line each, with what was wanted, what came, and why', async () => {
    const file = await fileOf('failing.jsonl', asks, { ...denies, expect: { accept: [null, 'ASK'] } }, { ...asks, id: 'a-2', event: call('search') });
    const { code, stdout } = await inProcess('policy', 'test', file);
    expect(code).toBe(1);
    expect(stdout.split('\n')).toEqual([expect.stringMatching(/^d-1: wanted ALLOW or ASK, got DENY: .*deploy/), 'a-2: wanted ASK, got ALLOW', '1 passed, 2 failed', '']);
  });

  it('by more than the verdict show all that they want', async () => {
    const file = await fileOf('writes.jsonl', { ...asks, expect: { result: 'ASK', state_updates: [{ key: 'n', action: 'delete' }] } });
    const { stdout } = await inProcess('policy', 'test', file);
    expect(stdout).toContain('a-1: wanted {"result":"ASK","state_updates":[{"key":"n","action":"delete"}]}, got ASK: ');
  });

  it('for want of their handler say so', async () => {
    const file = await fileOf('gone.jsonl', { ...asks, policy: 'safety.gone' });
    expect(await inProcess('policy', 'test', file)).toMatchObject({ code: 1, stdout: 'a-1: wanted the handler safety.gone, got none: There is no such handler.\n0 passed, 1 failed\n' });
  });

  it('cannot steer the terminal, nor hide what they say', async () => {
    const file = await fileOf('hostile.jsonl', { ...denies, id: 'x\u001b[2J', params: { blocked: ['de\u202eploy\n0 failed'] }, event: call('Skill', { skill: 'de\u202eploy\n0 failed' }), expect: { result: 'ALLOW' } });
    const { stdout } = await inProcess('policy', 'test', file);
    expect(stdout).not.toMatch(/[\u001b\u202e]/);
    expect(stdout.split('\n')).toHaveLength(3);
  });

  it('are one JSON object for programs', async () => {
    const file = await fileOf('failing.jsonl', asks, { ...denies, expect: { result: 'ALLOW' } });
    const { code, stdout } = await inProcess('policy', 'test', '--json', file);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toEqual({
      passed: 1,
      failed: 1,
      failures: [{ id: 'd-1', file, line: 2, wanted: { result: 'ALLOW' }, got: { result: 'DENY' }, reason: expect.any(String) }],
    });
  });
});

describe('exceptions', () => {
  it('are the verdicts that count', async () => {
    const vectors = await fileOf('wanting.jsonl', { ...denies, expect: { result: 'ALLOW' } }, { ...asks, params: { a: 1 } }, { ...asks, id: 'a-2' });
    const exceptions = await fileOf('exceptions.jsonl', { id: 'd-1', verdict: 'DENY', reason: 'It deploys.' }, { id: 'a-1', verdict: 'BUILD_ERROR', reason: 'It takes none.' }, { id: 'elsewhere', verdict: 'ASK', reason: 'Not here.' });
    expect(await inProcess('policy', 'test', vectors, '--exceptions', exceptions)).toEqual({ code: 0, stdout: '3 passed, 0 failed\n', stderr: '' });
  });

  it('that do not hold fail', async () => {
    const exceptions = await fileOf('exceptions.jsonl', { id: 'a-1', verdict: 'DENY', reason: 'We thought so.' });
    const { code, stdout } = await inProcess('policy', 'test', await fileOf('wanting.jsonl', asks), '--exceptions', exceptions);
    expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringMatching(/^a-1: wanted DENY, got ASK: .*\n0 passed, 1 failed\n$/) });
  });

  it('look at the last verdict of a sequence', async () => {
    const steps = await fileOf('steps.jsonl', { ...asks, event: undefined, steps: [{ event: call('search') }, { event: call('Bash') }], expect: { steps: [{ result: null }, { result: 'DENY' }] } });
    const exceptions = await fileOf('exceptions.jsonl', { id: 'a-1', verdict: 'ASK', reason: 'A person decides.' });
    expect(await inProcess('policy', 'test', steps, '--exceptions', exceptions)).toMatchObject({ code: 0 });
  });
});

describe('the table of verdicts of this repository', () => {
  const table = path.join(import.meta.dirname, '../vectors');

  it('passes as a user would run it, with its exceptions', async () => {
    const files = (await readdir(table)).filter((name) => name.endsWith('.jsonl') && name !== 'exceptions.jsonl').map((name) => path.join(table, name));
    const exceptions = path.join(table, 'exceptions.jsonl');
    const { code, stdout } = await inProcess('policy', 'test', ...files, ...(existsSync(exceptions) ? ['--exceptions', exceptions] : []));
    expect(stdout).toMatch(/^\d{3,} passed, 0 failed\n$/);
    expect(code).toBe(0);
  });
});

describe('wrong use', () => {
  it('without a file is told', async () => {
    expect(await inProcess('policy', 'test')).toEqual({ code: 2, stdout: '', stderr: "countersign: missing required argument 'files'\n" });
  });

  it.for([
    ['not JSON', '{"id":', 'broken.jsonl:2: The line is not JSON.'],
    ['no vector', { id: 'x-1', policy: 'p', expect: { result: null } }, 'broken.jsonl:2: x-1: A vector has an event, steps, or expects a build_error.'],
    ['an unknown verdict', { ...asks, expect: { result: 'PERHAPS' } }, 'broken.jsonl:2: a-1: expect.result: '],
  ] as const)('a line that is %s is named, and nothing is run', async ([, line, message]) => {
    const { code, stdout, stderr } = await inProcess('policy', 'test', await fileOf('fine.jsonl', denies), await fileOf('broken.jsonl', { ...asks, expect: { result: 'DENY' } }, line));
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr).toMatch(/^countersign: [^\n]+\n$/);
  });

  it('several broken lines are counted', async () => {
    expect((await inProcess('policy', 'test', await fileOf('broken.jsonl', '{', asks, '}', ''))).stderr).toMatch(/broken\.jsonl:1: The line is not JSON\. \(and 1 more\)\n$/);
  });

  it('a file that cannot be read is named', async () => {
    await mkdir(path.join(folder, 'vectors'));
    await writeFile(path.join(folder, 'latin.jsonl'), Buffer.from([0x22, 0xe9, 0x22]));
    expect((await inProcess('policy', 'test', path.join(folder, 'nope.jsonl'))).stderr).toMatch(/nope\.jsonl cannot be read: there is no such file\n$/);
    expect((await inProcess('policy', 'test', path.join(folder, 'vectors'))).stderr).toMatch(/vectors cannot be read: it is a directory, name the files in it\n$/);
    expect(await inProcess('policy', 'test', path.join(folder, 'latin.jsonl'))).toMatchObject({ code: 2, stderr: expect.stringContaining('it is not UTF-8 text') });
  });

  it('a broken exception is named', async () => {
    const exceptions = await fileOf('exceptions.jsonl', { id: 'a-1', verdict: 'PERHAPS', reason: 'r' });
    expect(await inProcess('policy', 'test', await fileOf('mine.jsonl', asks), '--exceptions', exceptions)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('exceptions.jsonl:1: verdict: ') });
  });

  it('stdin is read only once', async () => {
    expect(await inProcess('policy', 'test', '-', '--exceptions', '-')).toEqual({ code: 2, stdout: '', stderr: 'countersign: stdin can be read only once: name - only once\n' });
  });
});
