import type { PolicyEvent } from '../event.ts';
import { isJsonList, type Json, type JsonObject } from '../json.ts';
import { osToolKind } from '../os-tools.ts';
import { readToolCall } from '../tool-call.ts';
import { findTool } from '../tool-name.ts';
import { lineCharsMax, readCommandLine, unreadable, type ShellReading } from './command-line.ts';

/**
 * What a call of a shell would run, one reading per command line; empty for other tools and events. `tools` holds the `toolKeys`
 * of the tools that count as shells; null: every shell that we know (`osToolKind`). Arguments that are no text run nothing.
 */
export function readShellCall(event: PolicyEvent, tools: ReadonlySet<string> | null = null): readonly ShellReading[] {
  const call = readToolCall(event);
  if (!call?.names.some((name) => (tools ? findTool(name, tools) !== null : osToolKind(name) === 'shell'))) return [];
  return readArguments(call.arguments);
}

/** Many policies judge one call, so a call is read once. Only where it cannot change: events are frozen while they are judged. */
function readArguments(args: JsonObject): readonly ShellReading[] {
  const known = readings.get(args);
  if (known) return known;
  const read = readEach(commandLines(args));
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
const lineArguments = ['command', 'cmd', 'script', 'text', 'chars', 'input', 'keys'];

function commandLines(args: JsonObject): readonly string[] {
  return lineArguments.flatMap((name) => {
    const line = lineOf(args[name] ?? null);
    return line.trim() === '' ? [] : [line];
  });
}

/** A list is an argument vector (Codex); a list of one is what others make of a line. */
function lineOf(command: Json): string {
  if (typeof command === 'string') return command;
  if (!isJsonList(command)) return '';
  const words = command.map((word) => (typeof word === 'string' ? word : JSON.stringify(word)));
  return words.length === 1 ? words.join('') : words.map(quote).join(' ');
}

function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
