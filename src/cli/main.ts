#!/usr/bin/env node
import { freshBuild } from './fresh-build.ts';
import { unsuitableNode } from './unsuitable-node.ts';

// Nothing else is loaded before: an older Node dies in the database driver, without a word that helps.
const fault = unsuitableNode(process.versions.node);
const words = process.argv.slice(2);
if (fault === null) {
  // A hook is waited for by an agent: of all commands it loads nothing.
  const ended = words[0] === 'hook' ? await (await import('./hook.ts')).hook(words) : null;
  process.exitCode = ended ?? (await run());
} else {
  process.stderr.write(`countersign: ${fault}\n`);
  process.exitCode = 2;
}

async function run(): Promise<number> {
  const build = freshBuild();
  const { runCommand } = build === null ? await import('./run-command.ts') : ((await import(build)) as typeof import('./run-command.ts'));
  return runCommand(words);
}
