import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { post } from '../support/post.ts';
import { runCli, startCli, type RunningCli } from '../support/run-cli.ts';

let cwd: string;
let running: RunningCli[];
beforeEach(async () => {
  cwd = await mkdtemp(path.join(tmpdir(), 'countersign-modules-'));
  running = [];
});
afterEach(async () => {
  for (const one of running) {
    one.process.kill('SIGKILL');
    await one.result;
  }
  await rm(cwd, { recursive: true });
});

const file = (name: string, text: string) => writeFile(path.join(cwd, name), text);
const config = (value: object) => file('countersign.config.json', JSON.stringify(value));

/** A handler that answers every tool call in one way. */
const handler = (name: string, judge: string, imports = '') => `
  import { abstain, allow, ask, defineHandler, deny } from 'countersign/policy';
  ${imports}
  export const it = defineHandler({ name: '${name}', title: 'T', description: 'D', phases: ['TOOL_CALL'], judge: ${judge} });
`;

type Wire = ReturnType<JSON['parse']>;

async function serve(): Promise<{ ask(query: string, variables?: object): Promise<Wire>; stop(): Promise<string> }> {
  const server = startCli(['serve', '--port', '0'], { cwd, env: { COUNTERSIGN_LOG_LEVEL: 'warn' } });
  running.push(server);
  const url = (await server.ready).replace('countersign ready ', '');
  return {
    async ask(query, variables = {}) {
      const { data, errors } = (await (await post(url, query, { variables })).json());
      if (errors) throw new Error(JSON.stringify(errors));
      return Object.values(data as object)[0];
    },
    async stop() {
      server.process.kill('SIGTERM');
      return (await server.result).stderr;
    },
  };
}

const evaluate = 'mutation ($input: EvaluatePolicyInput!) { evaluatePolicy(input: $input) { ... on Evaluation { verdict decidedBy reason } ... on Error { message } } }';

async function verdictOn({ ask }: Awaited<ReturnType<typeof serve>>): Promise<Wire> {
  const { id: agentId } = await ask(`mutation { createAgent(input: { name: "a ${Math.random()}" }) { ... on Agent { id } } }`);
  const { id: sessionId } = await ask('mutation ($agentId: ID!) { createSession(input: { agentId: $agentId }) { ... on Session { id } } }', { agentId });
  return ask(evaluate, { input: { sessionId, event: { toolCall: { name: 'Read' } }, waitSeconds: 0 } });
}

describe('a module that the configuration names', { timeout: 60_000 }, () => {
  it('is loaded, in TypeScript and in JavaScript, relative to the file, from a package found beside it, and judges', async () => {
    await mkdir(path.join(cwd, 'settings'));
    await mkdir(path.join(cwd, 'settings/node_modules/policies'), { recursive: true });
    await file('settings/typed.ts', handler('mine.typed', '(): ReturnType<typeof deny> => deny("typed says no")', 'const typed: number = 1;\nexport const unused = typed;'));
    await file('settings/plain.mjs', `${handler('mine.plain', '() => abstain()')}\nexport default [it];`);
    await file('settings/node_modules/policies/package.json', '{ "name": "policies", "type": "module", "exports": "./index.js" }');
    await file('settings/node_modules/policies/index.js', handler('theirs.packed', '() => abstain()'));
    await file('settings/countersign.json', JSON.stringify({ policyModules: ['typed.ts', './plain.mjs', 'policies'], serverPolicies: [{ name: 'typed', handler: 'mine.typed' }] }));
    const listed = await runCli(['policy', 'list', '--config', 'settings/countersign.json'], { cwd });
    expect(listed.stdout).toMatch(/^mine\.plain [^]*^mine\.typed [^]*^theirs\.packed /m);
    const server = startCli(['serve', '--port', '0', '--config', 'settings/countersign.json'], { cwd, env: { COUNTERSIGN_LOG_LEVEL: 'error' } });
    running.push(server);
    const url = (await server.ready).replace('countersign ready ', '');
    const ask = async (query: string, variables: object = {}) => Object.values(((await (await post(url, query, { variables })).json())).data as object)[0];
    expect(await verdictOn({ ask, stop: async () => '' })).toEqual({ verdict: 'DENY', decidedBy: 'POLICY', reason: 'typed says no' });
  });

  it.each([
    ['() => { throw new Error("a secret of ours") }', { verdict: 'DENY', decidedBy: 'FAILURE' }],
    ['async () => allow()', { verdict: 'DENY', decidedBy: 'FAILURE' }],
    ['() => ({ kind: "allow everything" })', { verdict: 'DENY', decidedBy: 'FAILURE' }],
    ['({ event }) => { event.data.name = "other"; return allow(); }', { verdict: 'DENY', decidedBy: 'FAILURE' }],
  ])('that misbehaves denies: %s', async (judge, answer) => {
    await file('bad.ts', handler('mine.bad', judge).replace("'countersign/policy';", "'countersign/policy';\n  // @ts-nocheck"));
    await config({ policyModules: ['./bad.ts'], serverPolicies: [{ name: 'bad', handler: 'mine.bad' }] });
    const verdict = await verdictOn(await serve());
    expect(verdict).toMatchObject(answer);
    expect(JSON.stringify(verdict)).not.toContain('secret');
  });

  it.each([
    ['missing.ts', null, /^countersign: The policy module \S*missing\.ts is not there: name a file that exists, or a package\n$/],
    ['throws.ts', 'throw new Error("no luck\\nat all");', /^countersign: The policy module \S*throws\.ts cannot be loaded: no luck\n$/],
    ['nonsense.mjs', 'throw Object.create(null);', /^countersign: The policy module \S*nonsense\.mjs cannot be loaded: it throws what is no error\n$/],
    ['broken.ts', 'export const = 1;', /^countersign: The policy module \S*broken\.ts cannot be loaded: [^\n]+\n$/],
    ['lost.ts', 'import "no-such-package";', /^countersign: The policy module \S*lost\.ts cannot be loaded: Cannot find package 'no-such-package' [^\n]+\n$/],
    ['node_modules/typed/index.ts', 'export const a: number = 1;', /^countersign: The policy module \S*index\.ts cannot be loaded: Stripping types is currently unsupported for files under node_modules, [^\n]+\n$/],
    ['empty.ts', 'export const nothing = 1;', /^countersign: The policy module \S*empty\.ts exports no handler: export what defineHandler of countersign\/policy gives\n$/],
    ['bare.mjs', `${handler('mine.it', '() => abstain()')}\nexport const bare = [it, { name: 'mine.bare', judge: () => deny('never') }];`, /^countersign: The policy module \S*bare\.mjs exports "bare", which is no handler: give it to defineHandler of countersign\/policy, and export the result\n$/],
    ['copy.mjs', `${handler('mine.it', '() => abstain()')}\nexport const copy = { ...it, name: 'mine.copy', phases: ['tool_call'] };`, /^countersign: The policy module \S*copy\.mjs exports the handler "mine\.copy": phases must be a list of some of REQUEST, [^\n]+\n$/],
    ['phase.mjs', handler('mine.it', '() => abstain()').replace('TOOL_CALL', 'tool_call'), /^countersign: The policy module \S*phase\.mjs cannot be loaded: defineHandler "mine\.it": phases must be a list of some of REQUEST, [^\n]+\n$/],
    ['builtin.ts', handler('safety.block_skills', '() => allow()'), /^countersign: The policy module \S*builtin\.ts exports safety\.block_skills, which the builtin is named already: rename it\n$/],
    ['family.ts', handler('safety.mine', '() => allow()'), /^countersign: The policy module \S*family\.ts exports safety\.mine: the family safety is that of builtins, name one of your own\n$/],
    ['name.ts', handler('Not A Name', '() => allow()'), /^countersign: The policy module \S*name\.ts cannot be loaded: defineHandler "Not A Name": name must be <family>\.<name> in lower snake case, e\.g\. mail\.ask_before_external\n$/],
  ])('that is %s stops the start, with one line', async (name, text, message) => {
    await mkdir(path.join(cwd, path.dirname(name)), { recursive: true });
    if (text !== null) await file(name, text);
    await config({ policyModules: [`./${name}`] });
    const { code, stdout, stderr } = await runCli(['serve', '--port', '0'], { cwd });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
  });

  it('that is there twice is loaded once; two of one name stop the start', async () => {
    await file('one.ts', handler('mine.one', '() => abstain()'));
    await file('two.ts', handler('mine.one', '() => abstain()'));
    await config({ policyModules: ['./one.ts'] });
    expect(await runCli(['policy', 'list', 'mine.one', '--module', './one.ts'], { cwd })).toMatchObject({ code: 0 });
    expect(await runCli(['policy', 'list', 'mine.one', '--module', './two.ts'], { cwd })).toMatchObject({ code: 2, stderr: expect.stringContaining('two.ts exports mine.one, which one of ') });
  });

  it('that is gone leaves its policies denying, and a warning', async () => {
    await file('mine.ts', handler('mine.gone', '() => abstain()'));
    await config({ policyModules: ['./mine.ts'] });
    const before = await serve();
    await before.ask('mutation { createPolicy(input: { target: { server: true }, name: "gone", handler: "mine.gone" }) { ... on Policy { id } } }');
    expect(await verdictOn(before)).toMatchObject({ verdict: 'ALLOW' });
    await before.stop();
    await config({});
    const after = await serve();
    expect(await verdictOn(after)).toMatchObject({ verdict: 'DENY', decidedBy: 'FAILURE' });
    expect(await after.stop()).toContain('a policy denies all that it would judge, because its handler is not registered');
  });
});
