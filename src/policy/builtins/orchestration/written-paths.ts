import { isJsonList, isJsonObject, type Json, type JsonObject } from '../../json.ts';
import { toolKey } from '../../tool-name.ts';

/** The paths that the arguments of a writing tool name, at any depth: `file_path`, `files[].path`, and those inside a patch. */
export function writtenPaths(args: JsonObject): readonly string[] {
  const paths: string[] = [];
  const pending: { readonly key: string; readonly value: Json }[] = [{ key: '', value: args }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { key, value } = next;
    if (typeof value === 'string') {
      if (pathKeys.has(key)) paths.push(value);
      if (patchKeys.has(key)) paths.push(...pathsOfPatch(value));
    } else if (isJsonList(value)) {
      for (const item of value) pending.push({ key, value: item });
    } else if (isJsonObject(value) && !contentKeys.has(key)) {
      for (const [name, member] of Object.entries(value)) {
        if (filesKeys.has(key) && /[./\\~]/.test(name)) paths.push(name);
        pending.push({ key: keyOf(name), value: member });
      }
    }
  }
  return paths;
}

const longestKey = 40;

/** Longer names mean none of ours, and need not be folded. */
function keyOf(name: string): string {
  return name.length > longestKey ? '' : toolKey(name);
}

/** As `toolKey`s, so that `file_path`, `filePath` and `FILE_PATH` are one. */
const pathKeys = keys([
  ...['path', 'paths', 'file', 'files', 'file_path', 'file_paths', 'filename', 'filenames', 'full_path', 'absolute_path', 'abs_path'],
  ...['relative_path', 'relative_workspace_path', 'notebook_path', 'target_file', 'target_files', 'target_path', 'source_path'],
  ...['destination', 'destination_path', 'dest', 'dest_path', 'dst', 'new_path', 'old_path', 'new_file', 'new_file_path', 'old_file_path'],
  ...['output_path', 'output_file', 'save_path', 'save_to', 'dir', 'directory', 'dir_path', 'directory_path', 'folder', 'folder_path'],
  ...['cwd', 'workdir', 'working_directory', 'base_path', 'uri', 'file_uri', 'file_url'],
]);

/** Their objects may have paths for keys: `{ "src/a.ts": "…" }`. */
const filesKeys = keys(['files', 'changes', 'file_changes']);

const patchKeys = keys(['patch', 'diff', 'input', 'command', 'patch_text', 'unified_diff']);

/** What is written, not where: a JSON document may well have a member `path`. */
const contentKeys = keys([
  ...['content', 'contents', 'text', 'file_text', 'body', 'data', 'code', 'code_edit', 'new_source', 'new_string', 'old_string', 'new_str', 'old_str'],
  ...['insert_text', 'new_text', 'old_text', 'new_content', 'old_content', 'json', 'value', 'metadata'],
]);

function keys(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.map(toolKey));
}

/** Of Codex's patches and of unified diffs. Other texts have no such lines. */
function pathsOfPatch(text: string): readonly string[] {
  if (!/^(?:\*\*\* |\+\+\+ |rename |copy )/m.test(text)) return [];
  const paths: string[] = [];
  for (const line of text.split('\n')) {
    const found = patchedFile.exec(line)?.[1]?.trim() ?? '';
    if (found !== '' && found !== '/dev/null') paths.push(found.replace(/^[ab]\//, ''));
  }
  return paths;
}

const patchedFile = /^(?:\*\*\* (?:Add|Update|Delete) File:|\*\*\* Move to:|--- (?=[ab]\/)|\+\+\+ |rename (?:from|to) |copy to )([^\t\r]*)/;
