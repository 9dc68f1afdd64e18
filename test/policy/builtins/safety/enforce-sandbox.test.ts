import { describe, expect, it } from 'vitest';
import { evaluate, type Json, type JsonObject } from '../../../../src/policy/index.ts';
import { enforceSandbox } from '../../../../src/policy/builtins/safety/enforce-sandbox.ts';
import { passOf, policy, toolCall } from '../../support/pass.ts';

/** The sandbox that a started agent gets. */
function sandboxFor(params: JsonObject, declared: Json, { name = 'sys_agent_start', args = {} }: { name?: string; args?: JsonObject } = {}): unknown {
  const built = enforceSandbox.build(params);
  if (built.kind !== 'built') throw new Error(JSON.stringify(built.issues));
  const decision = evaluate(passOf([policy('sandbox', null, { judge: built.judge })], { event: toolCall(name, { ...args, sandbox: declared }) }));
  if (decision.verdict !== 'ALLOW') throw new Error(decision.verdict);
  return decision.data;
}

function started(sandbox: JsonObject): unknown {
  return { name: 'sys_agent_start', arguments: { sandbox } };
}

const closed = { type: 'linux_bwrap', allow_network: false };

describe('an agent', () => {
  it('gets the sandbox of the params, whatever it declares', () => {
    const params = { allow_network: false, write_paths: ['.'], read_paths: [], env_passthrough: ['PATH'] };
    expect(sandboxFor(params, { type: 'none', allow_network: true, write_paths: ['/'], read_paths: ['/'], env_passthrough: ['AWS_SECRET_ACCESS_KEY'], Type: 'none', extra: 1 })).toEqual(
      started({ ...closed, write_paths: ['.'], read_paths: [], env_passthrough: ['PATH'] }),
    );
  });

  it('without a network stays without one, though the params allow it', () => {
    for (const declared of [false, 'no', 0, [], 'true']) expect(sandboxFor({}, { allow_network: declared })).toEqual(started(closed));
    for (const declared of [true, null]) expect(sandboxFor({}, { allow_network: declared })).toEqual(started({ ...closed, allow_network: true }));
  });

  it('keeps what it declares where that narrows the sandbox', () => {
    const declared = {
      write_paths: ['out', './build', '/workspace/out', '/tmp/x', '/home/dev/project/out', 'C:\\work\\out'],
      write_files: ['notes.md'],
      read_paths: ['/usr', '/etc/ssl', 'src', '../lib', '/home/dev/project', '~/project'],
      env_passthrough: ['LANG', 'PATH'],
      egress_rules: ['allow example.com'],
      egress_allow_private_destinations: false,
      cwd_allow_hidden: ['.env.example'],
      cwd_hidden_scan_max_entries: 10,
      cwd_hidden_scan_overflow: 'fail',
    };
    expect(sandboxFor({ allow_network: false }, declared)).toEqual(started({ ...declared, ...closed }));
  });

  it.for([
    ...['/', '//', '/.', '/x/..', '/../..', '/*', '/**', '\\', 'C:\\', 'c:/', '~', '~/', '~root', '~/.ssh', '$HOME', '${HOME}', '$HOME/.ssh', '%USERPROFILE%'],
    ...['/home', '/home/dev', '/home/dev/.ssh', '/home/dev/*', '/root', '/root/.bashrc', '/Users/dev', '..', '../..', 'a/../..', '*', ' / '],
  ])('does not get to read %s', (path) => {
    expect(sandboxFor({ allow_network: false }, { read_paths: ['src', path] })).toEqual(started({ ...closed, read_paths: ['src'] }));
    expect(sandboxFor({ allow_network: false }, { read_paths: path })).toEqual(started(closed));
  });

  it.for(['/', '/etc', '/etc/cron.d', '/usr/local/bin', '/var/spool', '/proc/self', '../sibling', 'a/../../x', '/home/dev/.bashrc', 'C:\\Windows\\System32', '/bin/../etc', '/System/x'])('does not get to write %s', (path) => {
    expect(sandboxFor({ allow_network: false }, { write_paths: [path, 'out'], write_files: [path] })).toEqual(started({ ...closed, write_paths: ['out'], write_files: [] }));
  });

  it('gets neither the private network nor a whole environment by declaring it', () => {
    for (const declared of [true, 1, 'yes', null]) expect(sandboxFor({ allow_network: false }, { egress_allow_private_destinations: declared })).toEqual(started(closed));
    expect(sandboxFor({ allow_network: false }, { env_passthrough: ['*', 'AWS_*', 'LANG'] })).toEqual(started({ ...closed, env_passthrough: ['LANG'] }));
  });

  it('that declares nothing readable gets the sandbox all the same', () => {
    for (const declared of ['none', ['none'], null, 5, { constructor: { type: 'none' }, __proto__: null }]) expect(sandboxFor({ allow_network: false }, declared)).toEqual(started(closed));
  });
});

describe('a call that starts an agent', () => {
  it('keeps its name and its other arguments', () => {
    expect(sandboxFor({ allow_network: false }, {}, { args: { agent: 'x', cwd: 'p' } })).toEqual({ name: 'sys_agent_start', arguments: { agent: 'x', cwd: 'p', sandbox: closed } });
  });

  it.for(['mcp__omni__sys_agent_start', 'SYS_AGENT_START', 'sysAgentStart', ' sys_agent_start'])('is one under the name %j', (name) => {
    expect(sandboxFor({ allow_network: false }, { type: 'none' }, { name })).toEqual({ name, arguments: { sandbox: closed } });
  });

  it('loses other spellings of its sandbox', () => {
    expect(sandboxFor({ allow_network: false }, {}, { args: { Sandbox: { type: 'none' }, SANDBOX: 1, sand_box: 2 } })).toEqual(started(closed));
  });
});

it('leaves other tools alone', () => {
  expect(sandboxFor({}, { type: 'none' }, { name: 'sys_agent_list' })).toBeNull();
  expect(sandboxFor({}, { type: 'none' }, { name: 'Bash' })).toBeNull();
});

it.for([{ sandbox_type: 'bogus_backend' }, { sandbox_type: 'NONE' }, { allow_network: 'no' }, { write_paths: '/' }, { write_paths: [1] }, { sandbox: {} }])('refuses the params %j', (params) => {
  expect(enforceSandbox.build(params).kind).toBe('invalidParams');
});
