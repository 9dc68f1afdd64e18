import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { findConnection } from '../../src/hooks/connection.ts';
import { hosts } from '../../src/hooks/index.ts';
import { fenceWith, readPage, root } from './fences.ts';
import { run } from './program.ts';

it('leads to a file that the hooks take, and to settings that doctor finds', async () => {
  const home = await mkdtemp(path.join(tmpdir(), 'countersign-docs-'));
  try {
    const steps = [fenceWith('docs/hooks.md', 'umask 077').text, 'countersign() { node "$MAIN" "$@"; }', fenceWith('docs/hooks.md', 'hook install claude-code').text];
    const terminal = run('bash', ['-c', steps.join('\n')], { cwd: home, env: { MAIN: path.join(root, 'src/cli/main.ts') } });
    expect(await terminal.exit, terminal.output).toBe(0);
    expect(findConnection({ variables: {}, home, directory: home })).toMatchObject({ url: new URL('https://gate.example/graphql'), token: 'csk_…' });
    expect((await stat(path.join(home, '.claude/settings.json'))).isFile()).toBe(true);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
});

it.each(hosts.map((host) => [host.name, host] as const))('says where the settings of %s are', (name, { settings }) => {
  const [user, project] = (['user', 'project'] as const).map((scope) => settings.place(scope, { variables: {}, home: '~', directory: '.' }).file.replace(/^\.\//, ''));
  expect(readPage('docs/hooks.md')).toContain(`| \`${name}\` | \`${user ?? ''}\` | \`${project ?? ''}\` |`);
});
