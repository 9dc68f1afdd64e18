import type { Command } from 'commander';
import type { McpOptions } from './mcp.ts';

export function describeMcp(program: Command): void {
  program
    .command('mcp')
    .usage('[options] -- <command…>\n       countersign mcp [options] --url <url>')
    .description('Stand before an MCP server: its tools run when Countersign allows it, everything else passes unchanged. Speaks MCP on stdin and stdout; COUNTERSIGN_URL and COUNTERSIGN_TOKEN say where Countersign is.')
    .argument('[command...]', 'what starts the MCP server, behind --')
    .option('--url <url>', 'the address of an MCP server that speaks streamable HTTP')
    .option('--header <line>', 'with --url: a header such as "Authorization: Bearer ${TOKEN}", where ${TOKEN} is read from the environment; give it again for each', (line: string, others: readonly string[] | undefined) => [...(others ?? []), line])
    .option('--name <server>', 'what the client calls the server: tools are judged as mcp__<server>__<tool> (default: under their own names)')
    .option('--agent <name>', 'the agent that the session belongs to (default: COUNTERSIGN_AGENT, else the name of the client)')
    .option('--session <key>', 'gateways with the same key share a session (default: one for each gateway, which ends with it)')
    .action(async (command: readonly string[], options: McpOptions) => {
      const { serveMcp } = await import('./mcp.ts');
      await serveMcp(command, options);
    });
}
