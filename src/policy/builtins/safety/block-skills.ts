import { z } from 'zod';
import { defineHandler } from '../../handler.ts';
import { foldName } from '../../folded-name.ts';
import { isJsonList, type Json, type JsonObject } from '../../json.ts';
import { osToolKind } from '../../os-tools.ts';
import { requestText } from '../../request-text.ts';
import { readToolCall, type ToolCall } from '../../tool-call.ts';
import { findTool, toolKey } from '../../tool-name.ts';
import { abstain, deny } from '../../verdict.ts';

export const blockSkills = defineHandler({
  name: 'safety.block_skills',
  title: 'Block skills',
  description:
    'Denies the named skills, however they are reached: by a skill tool, by a slash command at the start of a request, or by ' +
    'reading the files of the skill. Letter case does not matter.',
  phases: ['TOOL_CALL', 'REQUEST'],
  params: z.object({
    blocked: z.array(z.string()).meta({ title: 'Blocked skills', description: 'The names of the skills that are denied.' }),
  }),
  create({ blocked }) {
    const names = new Set(blocked.map(foldName).filter((name) => name !== ''));
    return ({ event }) => {
      if (names.size === 0) return abstain();
      const call = readToolCall(event);
      const found = call ? skillOfCall(call, names) : skillOfCommand(requestText(event) ?? '', names);
      return found === null ? abstain() : deny(`The skill ${found} is blocked.`);
    };
  },
});

type Names = ReadonlySet<string>;

/** Tool → the arguments that name the skill. A slash command is one, too. */
const skillArguments: ReadonlyMap<string, readonly string[]> = new Map([
  [toolKey('load_skill'), ['name']],
  [toolKey('activate_skill'), ['name']],
  [toolKey('use_skill'), ['name', 'skill']],
  [toolKey('read_skill_file'), ['skill_name']],
  [toolKey('Skill'), ['skill', 'command']],
  [toolKey('SlashCommand'), ['command']],
]);

function skillOfCall({ names: tools, arguments: args }: ToolCall, blocked: Names): string | null {
  for (const tool of tools) {
    const found = namedSkills(tool, args).map((name) => skillOfName(name, blocked)).find((skill) => skill !== null);
    if (found) return found;
    const touched = [...touchedPaths(tool, { args, blocked }), ...fileOfSkill(tool, args)].map((path) => skillOfPath(path, blocked)).find((skill) => skill !== null);
    if (touched) return touched;
  }
  return null;
}

/** A request that begins with a slash command, as an agent's prompt would read it. */
function skillOfCommand(text: string, blocked: Names): string | null {
  const start = text.search(visible);
  const folded = foldName(text.slice(Math.max(0, start), start + commandCharsMax));
  return folded.startsWith('/') ? skillOfName(folded.slice(1), blocked) : null;
}

const visible = /[^\s\p{C}\p{Default_Ignorable_Code_Point}]/u;

/** Longer than any skill's name; the rest of a long request need not be folded. */
const commandCharsMax = 1000;

/** What a call of a skill tool names. Throws on a name that is no text, since what it would load is unknown. */
function namedSkills(tool: string, args: JsonObject): readonly string[] {
  const key = findTool(tool, skillArguments);
  if (key === null) return [];
  // opencode's tool differs from Claude Code's in its capital and in its argument.
  const names = [...(skillArguments.get(key) ?? []).map((name) => args[name] ?? null), tool === 'skill' ? args['name'] : null].filter(Boolean);
  return names.map((name) => {
    if (typeof name !== 'string') throw new TypeError('The name of a skill is a text.');
    return name;
  });
}

/** A name with blanks may be a skill and its arguments; one with separators a skill inside a plugin or folder. */
function skillOfName(name: string, blocked: Names): string | null {
  const folded = foldName(name);
  if (blocked.has(folded)) return folded;
  const [word = ''] = folded.replace(/^\//, '').split(/\s/);
  return word.split(/[/\\:]/).find((part) => blocked.has(part)) ?? null;
}

/** `read_skill_file` may lead out of the skill that it names. */
function fileOfSkill(tool: string, args: JsonObject): readonly string[] {
  const { skill_name: skill, path } = args;
  return typeof skill === 'string' && typeof path === 'string' && findTool(tool, skillArguments) !== null ? [`skills/${skill}/${path}`] : [];
}

/** The paths that a call of a file or shell tool reads, as far as its arguments name them. */
function touchedPaths(tool: string, { args, blocked }: { args: JsonObject; blocked: Names }): readonly string[] {
  const kind = osToolKind(tool);
  switch (kind) {
    case null:
      return [];
    case 'shell':
    case 'code':
      return textArguments(args, codeArguments).flatMap((code) => wordsOfCode(code, blocked));
    case 'write':
      // Editors read as well when told to view.
      return args['command'] === 'view' ? textArguments(args, pathArguments) : [];
    case 'search':
    case 'read':
      return textArguments(args, pathArguments);
    default:
      kind satisfies never;
      return [];
  }
}

const pathArguments = ['path', 'paths', 'file_path', 'filePath', 'absolute_path', 'notebook_path', 'target_file', 'file', 'directory', 'pattern'];

const codeArguments = ['command', 'cmd', 'code', 'script', 'chars', 'input'];

function textArguments(args: JsonObject, names: readonly string[]): readonly string[] {
  const values = names.flatMap((name): readonly Json[] => {
    const value = args[name] ?? null;
    return isJsonList(value) ? value : [value];
  });
  return values.filter((value) => typeof value === 'string');
}

/** Every word that could be a path, also inside quoted code: quotes are dropped, a backslash is read as an escape and as a separator. */
function wordsOfCode(code: string, blocked: Names): readonly string[] {
  const bare = foldName(code).replaceAll(/["'`]/g, '');
  const readings = bare.includes('\\') ? [bare.replaceAll('\\', ''), bare.replaceAll('\\', '/')] : [bare];
  // Most code names no blocked skill at all; then there is nothing to cut, however long it is.
  if (![...blocked].some((name) => readings.some((reading) => reading.includes(name)))) return [];
  return readings.flatMap((reading) => reading.split(/[\s;|&()<>=,{}$]+/)).filter((word) => word.includes('/'));
}

/** A skill's files lie in `skills/<name>/`; its main file is `<name>/SKILL.md`, or a command's `commands/<name>.md`. */
function skillOfPath(path: string, blocked: Names): string | null {
  const parts: string[] = [];
  for (const part of foldName(path).split(/[/\\]/)) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  const isSkill = (part: string, index: number): boolean =>
    blocked.has(part) && (parts[index - 1] === 'skills' || parts[index - 1] === 'skill' || parts[index + 1] === 'skill.md');
  const command = parts.at(-2) === 'commands' ? (parts.at(-1) ?? '').replace(/\.md$/, '') : '';
  return parts.find(isSkill) ?? (blocked.has(command) ? command : null);
}
