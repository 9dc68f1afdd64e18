import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EvaluationSchema } from '../../src/entities/evaluation.entity.ts';
import { SessionSchema } from '../../src/entities/session.entity.ts';
import { createPolicy } from '../../src/gate/create-policy.ts';
import { resolveElicitation, type ResolveElicitationInput } from '../../src/gate/resolve-elicitation.ts';
import { ElicitationSchema, type Elicitation } from '../../src/entities/elicitation.entity.ts';
import type { JsonObject } from '../../src/sdk/json.ts';
import { eventually, expectKind } from '../support/journey.ts';
import { startTestServer, type TestServer } from '../support/start-server.ts';
import { payload } from './payloads.ts';
import { newHome, startHook, type HookProcess } from './world.ts';

let server: TestServer;
let home: string;

beforeEach(async () => {
  server = await startTestServer();
  home = await newHome();
});

afterEach(async () => {
  await server.remove();
});

const asking = (handler = 'safety.ask_on_os_tools', params = {}) => createPolicy(server.openGate(), { target: { server: true }, name: handler, handler, params });
const hook = (given: JsonObject, ...words: string[]): HookProcess => startHook(given, { home, url: server.baseUrl, words });
const elicitations = () => server.openGate().em.find(ElicitationSchema, {}, { orderBy: { id: 'asc' } });
const sessions = () => server.openGate().em.find(SessionSchema, {}, { orderBy: { id: 'asc' } });
const evaluations = () => server.openGate().em.find(EvaluationSchema, {});
const asked = (seconds?: number): Promise<Elicitation> => eventually(async () => (await elicitations()).find(({ settledAt }) => settledAt === null), seconds);
const answer = async (elicitation: Elicitation, input: Omit<ResolveElicitationInput, 'elicitationId'>) => expectKind(await resolveElicitation(server.openGate(), { elicitationId: elicitation.id, ...input }), 'resolved');

const claude = (over: JsonObject = {}) => payload('claude-code', 'PreToolUse', over);
const allowed = { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow' } };
const denied = (reason: unknown) => ({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: reason } });

describe('a hook', () => {
  it('allows what no policy objects to, and keeps a session for the session of the host', async () => {
    expect(await hook(claude(), 'claude-code').said).toEqual(allowed);
    expect(await hook(claude({ tool_use_id: 'toolu_02' }), 'claude-code').said).toEqual(allowed);
    expect(await sessions()).toMatchObject([{ title: 'project', harness: 'claude-code' }]);
  });

  it('waits for a person, and tells the agent why not in their words', async () => {
    await asking();
    const waiting = hook(claude(), 'claude-code');
    await answer(await asked(), { action: 'DECLINE', comment: 'not on Fridays' });
    expect(await waiting.said).toEqual(denied('not on Fridays'));
  });

  it('hands on the arguments that the person has put in their place', async () => {
    await asking();
    const waiting = hook(claude(), 'claude-code');
    await answer(await asked(), { action: 'ACCEPT', editedArguments: { command: 'ls -la' } });
    expect(await waiting.said).toEqual({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow', updatedInput: { command: 'ls -la' } } });
  });

  it('denies when its host cannot take those arguments', async () => {
    await asking();
    const waiting = hook(payload('cursor', 'beforeShellExecution'), 'cursor');
    await answer(await asked(), { action: 'ACCEPT', editedArguments: { command: 'ls -la' } });
    expect(await waiting.said).toMatchObject({ permission: 'deny', agent_message: expect.stringContaining('Cursor takes no change at beforeShellExecution') });
  });

  it('withholds a result that a policy denies', async () => {
    await asking('safety.fixed_action', { action: 'DENY', reason: 'It holds secrets.', on_phases: ['TOOL_RESULT'] });
    const said = await hook(payload('claude-code', 'PostToolUse'), 'claude-code').said;
    expect(said).toEqual({ decision: 'block', reason: 'It holds secrets.', hookSpecificOutput: { hookEventName: 'PostToolUse', updatedToolOutput: 'It holds secrets.' } });
  });

  it('keeps a session below the session of the host for a sub-agent', async () => {
    await hook(payload('claude-code', 'PreToolUse in a sub-agent'), 'claude-code').said;
    await hook(claude(), 'claude-code').said;
    const [root, child, ...others] = await sessions();
    expect(others).toEqual([]);
    expect(child).toMatchObject({ parent: root?.id });
  });
});

describe('fifty hooks at once', { timeout: 120_000 }, () => {
  it('make one session, and one evaluation for each call', async () => {
    const hooks = Array.from({ length: 50 }, (_, index) => hook(claude({ tool_use_id: `toolu_${index % 25}` }), 'claude-code'));
    expect(new Set((await Promise.all(hooks.map(({ said }) => said))).map((said) => JSON.stringify(said)))).toEqual(new Set([JSON.stringify(allowed)]));
    expect(await sessions()).toHaveLength(1);
    expect(await evaluations()).toHaveLength(25);
  });

  it('ask once for a call that all of them are about', async () => {
    await asking();
    const hooks = Array.from({ length: 50 }, () => hook(claude(), 'claude-code', '--timeout', '300'));
    await answer(await asked(60), { action: 'ACCEPT' });
    for (const { said } of hooks) expect(await said).toEqual(allowed);
    expect(await elicitations()).toHaveLength(1);
    expect(await sessions()).toHaveLength(1);
  });
});

describe('one call that comes by two events', () => {
  const pairs = [
    ['claude-code', 'PreToolUse', 'PermissionRequest'],
    ['codex', 'PreToolUse', 'PermissionRequest'],
    ['cursor', 'preToolUse', 'beforeShellExecution'],
  ] as const;
  const allows = (host: string, output: string) => (host === 'codex' ? output === '' || output.includes('"allow"') : output.includes('"allow"'));

  it.each(pairs)('asks once in %s, while the first one waits and after it', async (host, first, second) => {
    await asking();
    const before = hook(payload(host, first), host);
    await asked();
    const meanwhile = hook(payload(host, second), host);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(await elicitations()).toHaveLength(1);
    await answer(await asked(), { action: 'ACCEPT' });
    for (const { result } of [before, meanwhile, hook(payload(host, second), host)]) {
      const { code, stdout } = await result;
      expect([code, allows(host, stdout)], stdout).toEqual([0, true]);
    }
    expect(await elicitations()).toHaveLength(1);
  });

  it('asks once where both name the call, whichever comes first', async () => {
    await asking('safety.fixed_action', { action: 'ASK', reason: 'sure?' });
    const second = hook(payload('cursor', 'beforeMCPExecution'), 'cursor');
    await asked();
    const first = hook(payload('cursor', 'preToolUse of an MCP tool'), 'cursor');
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await answer(await asked(), { action: 'ACCEPT' });
    expect([await first.said, await second.said]).toEqual([{ permission: 'allow' }, { permission: 'allow' }]);
    expect(await elicitations()).toHaveLength(1);
  });

  it('takes the second event as it was changed at the first, and allows nothing else by it', async () => {
    await asking();
    const first = hook(claude(), 'claude-code');
    await answer(await asked(), { action: 'ACCEPT', editedArguments: { command: 'ls -la' } });
    await first.said;
    expect(await hook(payload('claude-code', 'PermissionRequest', { tool_input: { command: 'ls -la' } }), 'claude-code').said).toEqual({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'allow' } } });

    const other = hook(payload('claude-code', 'PermissionRequest'), 'claude-code');
    await answer(await asked(), { action: 'DECLINE', comment: 'another one' });
    expect(await other.said).toMatchObject({ hookSpecificOutput: { decision: { behavior: 'deny', message: 'another one' } } });
  });

  it('is another call once it is over, or has an id of its own: what was accepted once is asked for again', async () => {
    await asking();
    const first = hook(payload('cursor', 'beforeShellExecution'), 'cursor');
    await answer(await asked(), { action: 'ACCEPT' });
    await first.said;
    const again = hook(payload('cursor', 'beforeShellExecution'), 'cursor');
    await answer(await asked(), { action: 'DECLINE' });
    expect(await again.said).toMatchObject({ permission: 'deny' });

    const withId = hook(payload('cursor', 'preToolUse'), 'cursor');
    await answer(await asked(), { action: 'ACCEPT' });
    await withId.said;
    await hook(payload('cursor', 'postToolUse'), 'cursor').result;
    const afterwards = hook(payload('cursor', 'beforeShellExecution'), 'cursor');
    await answer(await asked(), { action: 'DECLINE' });
    expect(await afterwards.said).toMatchObject({ permission: 'deny' });
    expect(await elicitations()).toHaveLength(4);
  });
});

describe('a hook whose time is up', () => {
  it('denies before its host gives up on it, and names what is pending; the same call waits on for that, and nobody is asked twice', async () => {
    await asking();
    const startedAt = performance.now();
    const said = await hook(claude(), 'claude-code', '--timeout', '6').said;
    expect(performance.now() - startedAt).toBeLessThan(6000);
    const pending = await asked();
    expect(said).toEqual(denied(expect.stringContaining(`${pending.id} is still pending`)));

    await answer(pending, { action: 'ACCEPT' });
    expect(await hook(claude({ tool_use_id: 'toolu_02' }), 'claude-code').said).toEqual(allowed);
    expect(await elicitations()).toHaveLength(1);

    const next = hook(claude({ tool_use_id: 'toolu_03' }), 'claude-code');
    await answer(await asked(), { action: 'DECLINE', comment: 'once is enough' });
    expect(await next.said).toEqual(denied('once is enough'));
  });
});

describe('a call that a person was asked about when the time was up', () => {
  it('is not the same command elsewhere: that is asked anew', async () => {
    await asking();
    await hook(payload('cursor', 'preToolUse'), 'cursor', '--timeout', '4').said;
    const pending = await asked();
    await answer(pending, { action: 'ACCEPT' });
    const elsewhere = hook(payload('cursor', 'preToolUse', { tool_use_id: 'tool_9', tool_input: { command: 'ls', working_directory: '/' } }), 'cursor');
    const other = await asked();
    await answer(other, { action: 'DECLINE', comment: 'not there' });
    expect(await elsewhere.said).toMatchObject({ permission: 'deny', agent_message: 'not there' });
  });
});

describe('a hook that is killed while it waits', () => {
  it('leaves a question that ends with its grace time', async () => {
    await server.remove();
    server = await startTestServer({ graceSeconds: 1 });
    await asking();
    const waiting = hook(claude(), 'claude-code');
    const { id } = await asked();
    waiting.kill('SIGKILL');
    await eventually(async () => (await server.openGate().em.findOneOrFail(ElicitationSchema, { id })).settledAt ?? undefined);
    expect(await evaluations()).toMatchObject([{ verdict: 'DENY', status: 'ABANDONED' }]);
  });
});

describe('a server that stops while a hook waits', () => {
  it('is waited for: the person is asked once, and the answer arrives', async () => {
    await asking();
    const waiting = hook(claude(), 'claude-code');
    const pending = await asked();
    const { port } = new URL(server.baseUrl);
    const old = server;
    await old.close();
    server = await startTestServer({ port: Number(port), database: `sqlite:${old.databaseFile}` });
    await answer(pending, { action: 'ACCEPT' });
    expect(await waiting.said).toEqual(allowed);
    expect(await elicitations()).toHaveLength(1);
    await old.remove().catch(() => undefined);
  });
});

describe('the hints of a session', () => {
  it('are made anew where they lead nowhere, and hold nothing of what is judged', async () => {
    await hook(claude({ tool_input: { command: 'echo confidential' } }), 'claude-code').said;
    const files = (await readdir(home, { recursive: true, withFileTypes: true })).filter((each) => each.isFile()).map(({ parentPath, name }) => path.join(parentPath, name));
    expect(files).toHaveLength(2);
    for (const file of files) expect(await readFile(file, 'utf8')).not.toContain('confidential');

    const { port } = new URL(server.baseUrl);
    await server.remove();
    server = await startTestServer({ port: Number(port) });
    expect(await hook(claude({ tool_use_id: 'toolu_02' }), 'claude-code').said).toEqual(allowed);
    expect(await sessions()).toHaveLength(1);
  });

  it('are done without where they cannot be kept', async () => {
    await writeFile(path.join(home, 'state'), 'no folder');
    const hooks = [1, 2].map((id) => startHook(claude({ tool_use_id: `toolu_${id}` }), { home, url: server.baseUrl, words: ['claude-code'], env: { XDG_STATE_HOME: path.join(home, 'state') } }));
    for (const { said } of hooks) expect(await said).toEqual(allowed);
    expect(await sessions()).toHaveLength(1);
  });
});
