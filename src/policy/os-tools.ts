import { findTool, toolKey } from './tool-name.ts';

/** A tool that reaches the machine: what kind it is decides which argument says what it will do. */
export type OsToolKind = 'shell' | 'code' | 'search' | 'read' | 'write';

/** What an OS tool does, or null when the name means none. For the rule of comparison see `findTool`. */
export function osToolKind(name: string): OsToolKind | null {
  const known = findTool(name, kinds);
  return (known === null ? genericKinds.get(toolKey(name)) : kinds.get(known)) ?? null;
}

/** The file and shell tools of the agents that we know, by their built-in names. */
const kinds = kindOf({
  shell: [
    ...['sys_os_shell', 'sys_terminal_launch', 'sys_terminal_send'], // the reference's own
    ...['Bash', 'shell', 'terminal', 'developer__shell', 'PowerShell'], // Claude Code, Codex, Cursor, pi, opencode, Hermes, Goose
    ...['local_shell', 'exec_command', 'unified_exec', 'write_stdin'], // Codex
    ...['run_shell_command', 'run_terminal_cmd', 'run_terminal_command', 'run_in_terminal', 'execute_command', 'run_command'],
    ...['shell_command', 'shell_exec', 'exec_shell', 'run_shell', 'run_bash', 'execute_bash', 'execute_shell', 'execute_shell_command', 'bash_command', 'BashTool', 'bash_tool', 'container_exec', 'send_to_terminal'],
    ...['start_process', 'interact_with_process'], // Desktop Commander
  ],
  code: [
    ...['execute_code', 'run_code', 'execute_python', 'run_python', 'python_repl', 'execute_javascript', 'run_javascript', 'code_interpreter', 'code_execution'],
    ...['execute_python_code', 'run_python_code', 'python_exec', 'ipython', 'execute_javascript_code', 'run_javascript_code', 'js_repl', 'node_repl'],
    ...['execute_cell', 'run_cell', 'run_notebook_cell', 'jupyter_execute', 'jupyter_execute_code'],
  ],
  search: [
    ...['Glob', 'Grep', 'search_files', 'search_file_content', 'grep_search', 'file_search', 'glob_file_search', 'find_files', 'find_by_name', 'sys_os_glob', 'sys_os_grep'],
  ],
  read: [
    ...['sys_os_read', 'Read', 'read_file', 'read_many_files', 'NotebookRead', 'view_file', 'view_image', 'open_file', 'fs_read', 'read_text_file', 'read_multiple_files', 'read_media_file'],
    ...['LS', 'list_dir', 'list_directory', 'list_files', 'directory_tree', 'get_file_info', 'developer__read_image', 'developer__tree'],
  ],
  write: [
    ...['sys_os_write', 'sys_os_edit', 'Write', 'Edit', 'MultiEdit', 'NotebookEdit', 'edit_notebook', 'write_file', 'edit_file'],
    ...['create_file', 'delete_file', 'move_file', 'rename_file', 'create_directory', 'write_to_file', 'replace_in_file'],
    ...['apply_patch', 'apply_diff', 'search_replace', 'str_replace_editor', 'str_replace_based_edit_tool'],
    ...['write_text_file', 'create_text_file', 'create_new_file', 'save_file', 'append_file', 'append_to_file', 'edit_block', 'multi_replace_string_in_file'],
    ...['fs_write', 'fs_append', 'text_editor', 'file_write', 'write_files', 'edit_files', 'copy_file', 'make_directory', 'patch_file', 'StrReplace'],
    ...['replace_file_content', 'multi_replace_file_content', 'insert_line', 'insert_into_file', 'edit_notebook_file', 'edit_notebook_cell', 'create_new_jupyter_notebook'],
    ...['insert_edit_into_file', 'replace_string_in_file', 'developer__write', 'developer__edit', 'developer__text_editor'],
  ],
});

/** Words that mean an OS tool only on their own: behind a server's name they mean that server's things. */
const genericKinds = kindOf({
  shell: ['exec'],
  code: ['python', 'repl'],
  search: ['find'],
  read: ['view'],
  write: ['replace', 'delete', 'create', 'patch', 'insert', 'undo_edit', 'update_file', 'remove_file', 'download_file'],
});

function kindOf(names: Readonly<Record<OsToolKind, readonly string[]>>): ReadonlyMap<string, OsToolKind> {
  const entries = Object.entries(names) as [OsToolKind, readonly string[]][];
  return new Map(entries.flatMap(([kind, tools]) => tools.map((tool): [string, OsToolKind] => [toolKey(tool), kind])));
}
