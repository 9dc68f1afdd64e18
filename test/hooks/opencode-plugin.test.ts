import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SessionSchema } from '../../src/entities/session.entity.ts';
import { createPolicy, type CreatePolicyInput } from '../../src/gate/create-policy.ts';
import { pendingElicitations } from '../../src/gate/pending-elicitations.ts';
import { resolveElicitation } from '../../src/gate/resolve-elicitation.ts';
import { opencode } from '../../src/hooks/opencode.ts';
import { openCodePlugin } from '../../src/hooks/opencode-plugin.ts';
import type { Program } from '../../src/hooks/command-line.ts';
import { eventually } from '../support/journey.ts';
import { startTestServer, type TestServer } from '../support/start-server.ts';
import { newHome, program } from './world.ts';

let server: TestServer;
let home: string;

beforeEach(async () => {
  server = await startTestServer();
  home = await newHome();
  vi.stubEnv('HOME', home).stubEnv('COUNTERSIGN_URL', server.url);
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await server.remove();
});

/** As opencode does: its hooks, called in a session that has a parent. */
async function load(words: Program = program) {
  const file = path.join(home, 'plugin/countersign.mjs');
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, openCodePlugin(words, opencode));
  const { Countersign } = await import(pathToFileURL(file).href);
  return Countersign({ client: { session: { get: async () => ({ data: { parentID: 'ses_root' } }) } }, directory: '/home/user/project' });
}

const policy = (handler: string, params: NonNullable<CreatePolicyInput['params']> = {}) => createPolicy(server.openGate(), { target: { server: true }, name: handler, handler, params });
const call = { tool: 'bash', sessionID: 'ses_child', callID: 'call_1' };

describe('the plugin for opencode', () => {
  it('lets a tool run that is allowed, in a session below that of its parent', async () => {
    const hooks = await load();
    await hooks['tool.execute.before'](call, { args: { command: 'ls' } });
    const [root, child] = await server.openGate().em.find(SessionSchema, {}, { orderBy: { id: 'asc' } });
    expect(child).toMatchObject({ parent: root?.id, harness: 'opencode' });
  });

  it('throws what the policy says for a tool that is denied', async () => {
    await policy('safety.fixed_action', { action: 'DENY', reason: 'no tools today' });
    const hooks = await load();
    await expect(hooks['tool.execute.before'](call, { args: { command: 'ls' } })).rejects.toThrow('no tools today');
    await expect(hooks['chat.message']({ sessionID: 'ses_child', messageID: 'msg_1' }, { message: {}, parts: [{ type: 'text', text: 'Clean up' }] })).rejects.toThrow('no tools today');
  });

  it('puts the arguments that a person has edited into the object that opencode keeps', async () => {
    await policy('safety.ask_on_os_tools');
    const hooks = await load();
    const args = { command: 'ls', description: 'list' };
    const before = hooks['tool.execute.before'](call, { args });
    const [session] = await eventually(async () => {
      const found = await server.openGate().em.find(SessionSchema, {}, { orderBy: { id: 'desc' }, limit: 1 });
      return found.length > 0 ? found : null;
    });
    const pending = await eventually(async () => session && (await pendingElicitations(server.openGate(), session, { includeDescendants: true }))[0]);
    await resolveElicitation(server.openGate(), { elicitationId: pending.id, action: 'ACCEPT', editedArguments: { command: 'ls -la' } });
    await before;
    expect(args).toEqual({ command: 'ls -la' });
  });

  it('puts the reason in place of a result that is denied, and leaves results alone when it cannot ask', async () => {
    await policy('safety.fixed_action', { action: 'DENY', reason: 'It holds secrets.', on_phases: ['TOOL_RESULT'] });
    const output = { title: '', output: 'secret', metadata: {} };
    await (await load())['tool.execute.after']({ ...call, args: { command: 'cat key' } }, output);
    expect(output.output).toBe('It holds secrets.');
    await server.close();
    output.output = 'a.txt';
    await (await load())['tool.execute.after']({ ...call, callID: 'call_2', args: { command: 'ls' } }, output);
    expect(output.output).toBe('a.txt');
  });

  it('throws when the hook is missing, is killed, or says nothing', async () => {
    for (const words of [[path.join(home, 'missing')], ['/bin/sh', '-c', 'kill -KILL $$'], ['/bin/sh', '-c', 'true']] satisfies Program[]) {
      const file = path.join(home, `${words.length}-${words.at(-1)?.length}.mjs`);
      await writeFile(file, openCodePlugin(words, opencode));
      const { Countersign } = await import(pathToFileURL(file).href);
      const hooks = await Countersign({ client: { session: { get: async () => undefined } }, directory: '/' });
      await expect(hooks['tool.execute.before'](call, { args: {} })).rejects.toThrow(/Countersign: /);
    }
  });
});
