import type { JsonObject } from './json.ts';
import { osToolKind } from './os-tools.ts';
import { findTool, toolKeys } from './tool-name.ts';

/** Whether a call of this tool writes files. Some editors only show when their `command` says so. */
export function writesFiles(name: string, args: JsonObject): boolean {
  if (osToolKind(name) !== 'write') return false;
  return !(args['command'] === 'view' && findTool(name, editorsWithCommands) !== null);
}

/** Anthropic's editor and its kin: one tool, and a `command` that says what it does. */
const editorsWithCommands = toolKeys(['str_replace_editor', 'str_replace_based_edit_tool', 'developer__text_editor', 'text_editor']);
