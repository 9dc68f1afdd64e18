import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/policy/index.ts';
import { readOnlyOs } from '../../../../src/policy/builtins/orchestration/read-only-os.ts';
import { toolCall } from '../../support/pass.ts';
import { opinionOf } from '../../support/verdict-of.ts';

function judge(name: string, args: JsonObject = {}): string {
  return opinionOf(readOnlyOs, null, { event: toolCall(name, args) }).kind;
}

describe('a tool that writes or runs code', () => {
  it.for([
    ...['sys_os_write', 'sys_os_edit', 'Write', 'Edit', 'MultiEdit', 'write', 'edit', 'NotebookEdit', 'apply_patch', 'write_file', 'create_file'],
    ...['developer__write', 'developer__text_editor', 'str_replace_based_edit_tool', 'delete_file', 'move_file', 'mcp__omni__sys_os_write', 'mcp_fs_write_file'],
    ...['EDIT', ' Write', 'Ｗrite', 'wri\u200bte', 'write-file', 'writeFile', 'functions.Write', 'fs/write_file', 'fs_write', 'save_file', 'append_file', 'create_text_file'],
    ...['execute_code', 'run_code', 'execute_python', 'mcp__ide__executeCode', 'run_python', 'repl', 'node_repl', 'run_python_code', 'jupyter_execute', 'run_notebook_cell'],
    ...['StrReplace', 'replace_file_content', 'copy_file', 'write_files', 'insert_line', 'update_file', 'remove_file', 'edit_notebook_cell'],
  ])('is denied: %s', (name) => {
    expect(judge(name)).toBe('deny');
  });

  it('is denied where only the target says so', () => {
    const event = { type: 'tool_call', target: 'Write', data: { name: 'x', arguments: {} } } as const;
    expect(opinionOf(readOnlyOs, { deny_reason: 'no' }, { event })).toEqual({ kind: 'deny', reason: 'no' });
  });

  it('is denied though its arguments say that it only shows, unless it is an editor that listens', () => {
    expect(judge('Write', { command: 'view' })).toBe('deny');
    expect(judge('developer__text_editor', { command: 'view', path: 'a' })).toBe('abstain');
    expect(judge('developer__text_editor', { command: 'str_replace', path: 'a' })).toBe('deny');
  });
});

describe('any other tool', () => {
  it.for(['Read', 'read', 'Glob', 'Grep', 'LS', 'Bash', 'sys_os_shell', 'terminal', 'web_search', 'load_skill', 'TodoWrite', 'underwrite', 'mcp__crm__create', 'mcp__crm__update_file', 'mcp__crm__insert', 'mcp__jira__edit_issue', 'overwrite_policy', 'credit'])('passes: %s', (name) => {
    expect(judge(name)).toBe('abstain');
  });
});
