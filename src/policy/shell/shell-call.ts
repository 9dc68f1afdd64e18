import type { PolicyEvent } from '../event.ts';
import { isJsonList, isJsonObject, type Json, type JsonObject } from '../json.ts';
import { osToolKind } from '../os-tools.ts';
import { readToolCall } from '../tool-call.ts';
import { findTool, toolKey, toolKeys } from '../tool-name.ts';
import { lineCharsMax, readCommandLine, unreadable, type ShellReading } from './command-line.ts';

/**
 * What a call of a shell would run, one reading per command line; empty for other tools and events. `tools` holds the `toolKeys`
 * of the tools that count as shells; null: every shell that we know (`osToolKind`), and the tools that run code. Arguments that
 * are no text run nothing.
 */
export function readShellCall(event: PolicyEvent, tools: ReadonlySet<string> | null = null): readonly ShellReading[] {
  const call = readToolCall(event);
  if (!call) return [];
  if (call.names.some((name) => (tools ? findTool(name, tools) !== null : osToolKind(name) === 'shell'))) return readOnce(call.arguments, commandLines);
  const code = tools ? undefined : call.names.find((name) => osToolKind(name) === 'code');
  return code === undefined ? [] : readOnce(call.arguments, (args) => codeLines(code, args));
}

/** Many policies judge one call, so a call is read once. Only where it cannot change: events are frozen while they are judged. */
function readOnce(args: JsonObject, linesIn: (args: JsonObject) => readonly string[]): readonly ShellReading[] {
  const known = readings.get(args);
  if (known) return known;
  const read = readEach(linesIn(args));
  if (Object.isFrozen(args)) readings.set(args, read);
  return read;
}

/** As much as one line may have, over all of them; what is beyond is not read, and so may be anything. */
function readEach(lines: readonly string[]): readonly ShellReading[] {
  const chars = lines.reduce((sum, line) => sum + line.length, 0);
  return chars > lineCharsMax ? [unreadable(lines.join('\n'), 'it is too long')] : lines.map(readCommandLine);
}

const readings = new WeakMap<JsonObject, readonly ShellReading[]>();

/** Each shell tool has one of these; what is typed into a terminal is a command line too. */
const lineArguments = toolKeys(['command', 'command_line', 'cmd', 'script', 'text', 'chars', 'input', 'keys', 'keystrokes', 'shell_command', 'bash_command']);

/** Each of their members is a line. */
const listArguments = toolKeys(['commands', 'cmds', 'command_lines']);

const codeArguments = toolKeys(['code', 'script', 'source', 'input', 'python_code', 'javascript_code', 'program']);

function commandLines(args: JsonObject): readonly string[] {
  return argumentsOf(args, lineArguments).map(lineOf).concat(argumentsOf(args, listArguments).flatMap(linesOf)).filter((line) => line.trim() !== '');
}

/** The arguments of these names, however they are spelled, also inside others: `{ "action": { "command": … } }`. */
function argumentsOf(args: JsonObject, names: ReadonlySet<string>, depth = 0): readonly Json[] {
  return Object.entries(args).flatMap(([name, value]) => {
    if (isJsonObject(value)) return depth < depthMax ? argumentsOf(value, names, depth + 1) : [];
    return name.length <= nameCharsMax && names.has(toolKey(name)) ? [value] : [];
  });
}

const depthMax = 3;

const nameCharsMax = 40;

function linesOf(value: Json): readonly string[] {
  return isJsonList(value) ? value.map(lineOf) : [lineOf(value)];
}

/** A list is an argument vector (Codex); a list of one is what others make of a line. */
function lineOf(command: Json): string {
  if (typeof command === 'string') return command;
  if (!isJsonList(command)) return '';
  const words = command.map((word) => (typeof word === 'string' ? word : JSON.stringify(word)));
  return words.length === 1 ? words.join('') : words.map(quote).join(' ');
}

/** Code as a command line that runs it. Without a word on its language, it is Python. */
function codeLines(tool: string, args: JsonObject): readonly string[] {
  const language = argumentsOf(args, languageArguments).find((value) => typeof value === 'string') ?? '';
  const runs = runnerOf(`${tool} ${typeof language === 'string' ? language : ''}`.toLowerCase());
  return argumentsOf(args, codeArguments).flatMap((code) => (typeof code === 'string' && code.trim() !== '' ? [`${runs} ${quote(code)}`] : []));
}

const languageArguments = toolKeys(['language', 'lang', 'kernel', 'runtime']);

function runnerOf(name: string): string {
  if (/javascript|typescript|node|js\b|ts\b|js_repl/.test(name)) return 'node -e';
  return /\b(?:bash|shell|sh|zsh)\b/.test(name) ? 'bash -c' : 'python3 -c';
}

function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
