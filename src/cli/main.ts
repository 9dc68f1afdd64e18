#!/usr/bin/env node
import { freshBuild } from './fresh-build.ts';
import { unsuitableNode } from './unsuitable-node.ts';

// Nothing else is loaded before: an older Node dies in the database driver, without a word that helps.
const fault = unsuitableNode(process.versions.node);
if (fault === null) {
  const build = freshBuild();
  const { runCommand } = build === null ? await import('./run-command.ts') : ((await import(build)) as typeof import('./run-command.ts'));
  process.exitCode = await runCommand(process.argv.slice(2));
} else {
  process.stderr.write(`countersign: ${fault}\n`);
  process.exitCode = 2;
}
