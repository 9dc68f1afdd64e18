import { describe, expect, it } from 'vitest';
import type { JsonObject, Opinion, PolicyEvent } from '../../../../src/policy/index.ts';
import { askOnOsTools } from '../../../../src/policy/builtins/safety/ask-on-os-tools.ts';
import { askModel, facts, request, toolCall } from '../../support/pass.ts';

function judge(event: PolicyEvent): Opinion {
  const built = askOnOsTools.build(null);
  if (built.kind !== 'built') throw new Error('It takes no params.');
  return built.judge({ event, facts: facts(), askModel });
}

describe('what the approver reads', () => {
  it.for<[string, JsonObject, string]>([
    ['Bash', { command: 'ls -la' }, 'The agent wants to use Bash: ls -la'],
    ['shell', { command: ['git', 'push'] }, 'The agent wants to use shell: git push'],
    ['Grep', { pattern: 'TODO', path: 'src' }, 'The agent wants to use Grep: TODO'],
    ['Read', { file_path: 'a.ts' }, 'The agent wants to use Read: a.ts'],
    ['sys_os_write', { path: 'a.ts', file_path: 'b.ts' }, 'The agent wants to use sys_os_write: a.ts'],
    ['execute_code', { code: 'print(1)' }, 'The agent wants to use execute_code: print(1)'],
    ['Bash', {}, 'The agent wants to use Bash.'],
    ['Bash', { command: 5 }, 'The agent wants to use Bash.'],
    ['Bash', { command: ' ' }, 'The agent wants to use Bash.'],
    ['Bash', { command: 'x'.repeat(81) }, `The agent wants to use Bash: ${'x'.repeat(80)}…`],
    ['Bash', { command: '🙂'.repeat(80) }, `The agent wants to use Bash: ${'🙂'.repeat(80)}`],
  ])('of %s %j', ([name, args, reason]) => {
    expect(judge(toolCall(name, args))).toEqual({ kind: 'ask', reason });
  });
});

describe('names that hide a shell', () => {
  it.for(['bash ', 'BASH', 'mcp__omni__bash', 'ｂash', 'mcp_omni_run_shell_command'])('%j is asked for', (name) => {
    expect(judge(toolCall(name)).kind).toBe('ask');
  });

  it('is asked for when only the target names it', () => {
    expect(judge({ type: 'tool_call', target: 'Bash', data: { name: 'calculator', arguments: {} } }).kind).toBe('ask');
  });
});

it('does not ask for other tools and phases', () => {
  expect(judge(toolCall('web_search')).kind).toBe('abstain');
  expect(judge(request('Bash')).kind).toBe('abstain');
});

it('denies code that could not be shown to the approver', () => {
  for (const code of [42, null, true, {}]) expect(() => judge(toolCall('execute_code', { code }))).toThrow(TypeError);
});
