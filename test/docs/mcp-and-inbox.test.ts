import { expect, it } from 'vitest';
import { startTestServer } from '../support/start-server.ts';
import { fenceWith, fencesIn, root } from './fences.ts';
import { run } from './program.ts';

it('has commands for scripts that do what they say', async () => {
  const server = await startTestServer();
  try {
    const commands = ['countersign() { node src/cli/main.ts "$@"; }', fenceWith('docs/inbox.md', '--once --json').text];
    const terminal = run('bash', ['-c', commands.join('\n')], { cwd: root, env: { COUNTERSIGN_URL: server.url } });
    expect(await terminal.exit, terminal.output).toBe(0);
    expect(terminal.output).toBe('Nothing waits for a decision.\n[]\n');
  } finally {
    await server.remove();
  }
});

it('has settings for MCP clients whose words the gateway takes', async () => {
  const [settings] = fencesIn('docs/mcp.md').filter(({ language }) => language === 'json');
  const { mcpServers } = JSON.parse(settings?.text ?? '') as { mcpServers: Record<string, { command: string; args: string[] }> };
  for (const { command, args } of Object.values(mcpServers)) {
    expect(command).toBe('countersign');
    const words = args.map((word) => (word === 'npx' ? '/nonexistent' : word === 'https://mcp.example/mcp' ? 'http://127.0.0.1:9/mcp' : word));
    const gateway = run('node', ['src/cli/main.ts', ...words], { cwd: root, env: { ISSUES_TOKEN: 'x' } });
    gateway.type('{"jsonrpc":"2.0","id":1,"method":"ping"}');
    await gateway.says(/The MCP server (cannot be started|cannot be reached)/);
    await gateway.stop();
  }
});
