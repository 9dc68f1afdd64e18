import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { findConnection } from '../hooks/connection.ts';
import { environment } from '../hooks/environment.ts';
import { runGateway } from '../mcp/gateway.ts';
import { openUpstream, type UpstreamTarget } from '../mcp/upstream.ts';
import { createClient } from '../sdk/index.ts';
import { printable } from './printable.ts';
import { UsageFault } from './usage-fault.ts';

export interface McpOptions {
  readonly url?: string;
  readonly header?: readonly string[];
  readonly name?: string;
  readonly agent?: string;
  readonly session?: string;
}

/** A client's time limit is 60 s as a rule: an answer that says why comes before. Counted from the first failure, so a wait for a person may last. */
const patienceSeconds = 50;

/** Is a gateway before an MCP server until the client leaves. Stdout is MCP's alone; what people are to know goes to stderr. */
export async function serveMcp(command: readonly string[], options: McpOptions): Promise<void> {
  const surroundings = environment();
  const target = targetOf(command, options, surroundings.variables);
  const { url, token, agent } = findConnection(surroundings);
  const countersign = createClient({ url: url.href, token: token ?? undefined, patienceSeconds });
  const { signal: left, stop } = leaving();
  try {
    await runGateway({
      client: new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: messageBytesMax }),
      upstream: openUpstream(target),
      countersign,
      agent: options.agent ?? agent,
      sessionKey: options.session ?? null,
      serverName: nameOf(options.name),
      left,
      report: (line) => process.stderr.write(`countersign: ${printable(line)}\n`),
    });
  } finally {
    stop();
    countersign.close();
    process.stdin.destroy(); // or it would keep the process
  }
}

const messageBytesMax = 64 * 1024 * 1024;

function targetOf([command, ...args]: readonly string[], { url, header = [] }: McpOptions, variables: Readonly<Record<string, string | undefined>>): UpstreamTarget {
  if ((command === undefined) === (url === undefined)) throw new UsageFault('Give the MCP server that it is to stand before: its command behind --, or its address with --url');
  if (url !== undefined) {
    if (!URL.canParse(url) || !/^https?:/.test(url)) throw new UsageFault(`--url must be a URL of http or https, not ${JSON.stringify(url)}`);
    return { kind: 'url', url: new URL(url), headers: Object.fromEntries(header.map((line) => headerOf(line, variables))) };
  }
  if (header.length > 0) throw new UsageFault('--header is for --url: a command gets its environment');
  return { kind: 'command', command: command ?? '', args, env: withoutOurs(variables) };
}

/** `Name: value`; `${VARIABLE}` in the value stands for a variable, so that a secret need not be on the command line, which others see. */
function headerOf(line: string, variables: Readonly<Record<string, string | undefined>>): [string, string] {
  const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+): *(.+)$/.exec(line) ?? [];
  if (name === undefined || value === undefined) throw new UsageFault('--header must be "Name: value"');
  const whole = value.replace(/\$\{(\w+)\}/g, (_, variable: string) => {
    const text = variables[variable];
    if (text === undefined) throw new UsageFault(`--header ${name}: there is no variable ${variable}`);
    return text;
  });
  return [name, whole];
}

/** What the server behind us gets: all but our own credential. */
function withoutOurs(variables: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(variables).flatMap(([name, value]) => (value === undefined || name.startsWith('COUNTERSIGN_') ? [] : [[name, value]])));
}

function nameOf(name: string | undefined): string | null {
  if (name !== undefined && !/^[\w.-]{1,64}$/.test(name)) throw new UsageFault('--name must be what the client calls the server: 1 to 64 letters, digits, _, - and .');
  return name ?? null;
}

/** The client closes our stdin, or goes and no longer reads, or we are told to stop. A second signal ends the process at once. */
function leaving(): { signal: AbortSignal; stop: () => void } {
  const left = new AbortController();
  const leave = () => left.abort();
  const told = () => {
    if (left.signal.aborted) process.exit(2);
    leave();
  };
  process.stdin.once('end', leave).once('close', leave);
  process.stdout.once('error', leave);
  process.on('SIGTERM', told).on('SIGINT', told);
  return { signal: left.signal, stop: () => void process.off('SIGTERM', told).off('SIGINT', told) };
}
