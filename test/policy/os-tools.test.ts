import { describe, expect, it } from 'vitest';
import { osToolKind } from '../../src/policy/os-tools.ts';

describe('what an OS tool does', () => {
  it.for([
    ['Bash', 'shell'],
    ['mcp__omni__sys_os_shell', 'shell'],
    ['container.exec_command', 'shell'],
    ['exec', 'shell'],
    ['execute_code', 'code'],
    ['Grep', 'search'],
    ['LS', 'read'],
    ['mcp__fs__read_file', 'read'],
    ['MultiEdit', 'write'],
    ['NotebookEdit', 'write'],
    ['apply_patch', 'write'],
    ['replace', 'write'],
    ['Delete', 'write'],
    ['StrReplace', 'write'],
    ['update_file', 'write'],
    ['node_repl', 'code'],
    ['mcp__filesystem__directory_tree', 'read'],
    ['mcp__desktop-commander__start_process', 'shell'],
  ] as const)('%s: %s', ([name, kind]) => {
    expect(osToolKind(name)).toBe(kind);
  });

  it.for(['web_search', 'mcp__crm__delete', 'mcp_crm_create', 'mcp__jira__view', 'TodoWrite', 'mcp__crm__update_file', 'developer__', 'label_edits'])('%s is none', (name) => {
    expect(osToolKind(name)).toBeNull();
  });
});
