import { defineHandler } from '../../handler.ts';
import { isJsonList, type Json, type JsonObject } from '../../json.ts';
import { osToolKind, type OsToolKind } from '../../os-tools.ts';
import { readToolCall } from '../../tool-call.ts';
import { abstain, ask } from '../../verdict.ts';

export const askOnOsTools = defineHandler({
  name: 'safety.ask_on_os_tools',
  title: 'Ask before file and shell tools',
  description:
    'Asks before any tool call that reaches the machine: shells, code execution, and the file tools of the known agents, ' +
    'also behind the name of an MCP server. Allows all other tools.',
  phases: ['TOOL_CALL'],
  judge({ event }) {
    const call = readToolCall(event);
    for (const name of call?.names ?? []) {
      const kind = osToolKind(name);
      if (kind && call) return ask(reasonFor(name, preview(kind, call.arguments)));
    }
    return abstain();
  },
});

function reasonFor(name: string, shown: string | null): string {
  return shown === null ? `The agent wants to use ${name}.` : `The agent wants to use ${name}: ${shown}`;
}

/** What the call will do, in a line; null when the arguments do not say. */
function preview(kind: OsToolKind, args: JsonObject): string | null {
  switch (kind) {
    case 'shell':
      return excerpt(joined(args['command'], ' '));
    case 'code':
      return excerpt(codeOf(args));
    case 'search':
      return excerpt(args['pattern']);
    case 'read':
    case 'write':
      return excerpt(args['path'] ?? args['file_path']);
    default:
      kind satisfies never;
      return null;
  }
}

/** Code that is neither text nor a list could not be shown to the approver, so nobody is asked: the throw denies. */
function codeOf({ code }: JsonObject): Json | undefined {
  if (code !== undefined && typeof code !== 'string' && !isJsonList(code)) throw new TypeError('The code to run is no text.');
  return joined(code, '\n');
}

/** Codex gives a command as a list of its words. */
function joined(value: Json | undefined, separator: string): Json | undefined {
  return isJsonList(value) ? value.filter((part) => typeof part === 'string').join(separator) : value;
}

const excerptCharsMax = 80;

function excerpt(value: Json | undefined): string | null {
  if (typeof value !== 'string' || value.trim() === '') return null;
  const characters = Array.from(value.slice(0, 2 * excerptCharsMax));
  return characters.length > excerptCharsMax ? `${characters.slice(0, excerptCharsMax).join('')}…` : characters.join('');
}
