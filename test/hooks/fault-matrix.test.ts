import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandLine, type Program } from '../../src/hooks/command-line.ts';
import { hosts } from '../../src/hooks/index.ts';
import type { Host } from '../../src/hooks/host.ts';
import type { JsonObject } from '../../src/sdk/json.ts';
import { faults, startFaultyServer } from './faulty-server.ts';
import { payload, recordedBy } from './payloads.ts';
import { program, startHook, startProgram, type HookResult } from './world.ts';

let server: Awaited<ReturnType<typeof startFaultyServer>>;
let home: string;
/** Of each host under each fault, all hosts at once; a hook whose server says nothing waits for 20 s, so the other faults go on meanwhile. */
const cells = new Map<string, Promise<HookResult>>();

const nowhere = 'http://127.0.0.1:9/graphql';
const faultNames = ['is down', ...Object.keys(faults)];

beforeAll(async () => {
  server = await startFaultyServer();
  home = await mkdtemp(path.join(tmpdir(), 'countersign-faults-'));
  for (const fault of faultNames.toReversed()) {
    const started = hosts.map((host) => {
      const { result } = startHook(firstOf(host), { home, url: fault === 'is down' ? nowhere : server.urlFor(fault), words: [host.name] });
      cells.set(`${host.name} ${fault}`, result);
      return result;
    });
    if (fault !== 'says nothing') await Promise.all(started);
  }
  await Promise.all(cells.values());
}, 300_000);

afterAll(async () => {
  server.close();
  await rm(home, { recursive: true, force: true });
});

const withHooks = hosts.filter(({ settings }) => settings.hooks.length > 0);

/** The first word of each host's own denial of a tool call, and where its reason is: written down here a second time, from its documentation. */
const denials: Readonly<Record<string, (reason: unknown) => unknown>> = {
  'claude-code': (permissionDecisionReason) => ({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason } }),
  codex: (permissionDecisionReason) => ({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason } }),
  cursor: (reason) => ({ permission: 'deny', user_message: reason, agent_message: reason }),
  'gemini-cli': (reason) => ({ decision: 'deny', reason }),
  opencode: (reason) => ({ decision: 'deny', reason }),
  copilot: (permissionDecisionReason) => ({ permissionDecision: 'deny', permissionDecisionReason }),
};

function expectDenied({ name }: Host, { code, stdout }: HookResult, reason: unknown = expect.stringMatching(/^Countersign.*nothing is permitted/)): void {
  expect(code, stdout).toBe(0);
  expect(JSON.parse(stdout)).toEqual(denials[name]?.(reason));
}

function firstOf({ name }: Host): JsonObject {
  return recordedBy(name)[0]?.payload ?? {};
}

describe.each(hosts.map((host) => [host.name, host] as const))('%s', (name, host) => {
  it.each(faultNames)('denies a call in its words when the server %s', async (fault) => {
    const result = await cells.get(`${name} ${fault}`);
    expect(result).toBeDefined();
    if (result) expectDenied(host, result);
  });

  it.each(['', 'no JSON', '[]', 'null', '"text"', '{}', '{"hook_event_name":7}'])('blocks by exit code 2 what is no payload: %j', async (stdin) => {
    const { code, stdout, stderr } = await startHook(stdin, { home, url: nowhere, words: [name] }).result;
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^countersign: no payload of .+\n$/);
  });

  it('does not harm what has happened already, when it cannot ask', async () => {
    for (const { payload: after, event, read } of recordedBy(name)) {
      if (read.moment !== 'after') continue;
      const { code, stdout, stderr } = await startHook(after, { home, url: server.urlFor('refuses the credential (401)'), words: [name, ...(event === undefined ? [] : ['--event', event])] }).result;
      expect([code, stdout]).toEqual([0, '']);
      expect(stderr).toContain('the server refuses the credential');
    }
  });
});

describe.each(withHooks.map((host) => [host.name, host] as const))('the command line in the settings of %s', (_name, host) => {
  const before = host.settings.hooks.filter(({ guard }) => guard !== null);

  it.each(before.map((hook) => [hook.event, hook] as const))('blocks %s when the program is missing, and when it is killed', async (_event, hook) => {
    const killed = path.join(home, "it's killed");
    await writeFile(killed, '#!/bin/sh\nkill -KILL $$\n', { mode: 0o700 });
    for (const broken of [[path.join(home, 'missing')], [killed]] satisfies Program[]) {
      const { code, stdout, stderr } = await startProgram(['/bin/sh', '-c', commandLine(broken, host, hook)], { stdin: '{}', env: {} }).result;
      if (hook.guard === 'exit') {
        expect([code, stdout]).toEqual([2, '']);
        expect(stderr).toContain('Countersign: the hook failed, so nothing is permitted.');
      } else {
        expect(code).toBe(0);
        expect(JSON.parse(stdout)).toEqual(hook.guard);
      }
    }
  });

  it('passes on what the hook says', async () => {
    const [hook] = before;
    if (!hook) throw new Error('It has no hook before an act.');
    const result = await startProgram(['/bin/sh', '-c', commandLine(program, host, hook)], { stdin: JSON.stringify(firstOf(host)), env: { HOME: home, COUNTERSIGN_URL: server.urlFor('refuses the credential (401)') } }).result;
    expectDenied(host, result);
  });
});

describe('a payload with a number that cannot be shown exactly', () => {
  it.each(['9007199254740993', '1e400'])('is denied before the act: %s', async (number) => {
    const given = JSON.stringify(payload('claude-code', 'PreToolUse', { tool_input: { account: 1 } })).replace('"account":1', `"account":${number}`);
    const { code, stdout } = await startHook(given, { home, url: nowhere, words: ['claude-code'] }).result;
    expect(code).toBe(0);
    expect(stdout).toContain('\\"account\\" is a number too large to be shown exactly');
  });
});
