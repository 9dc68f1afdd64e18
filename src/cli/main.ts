#!/usr/bin/env node
import { unsuitableNode } from './unsuitable-node.ts';

// Nothing else is loaded before: an older Node dies in the database driver, without a word that helps.
const fault = unsuitableNode(process.versions.node);
if (fault === null) {
  const { runCommand } = await import('./run-command.ts');
  process.exitCode = await runCommand(process.argv.slice(2));
} else {
  process.stderr.write(`countersign: ${fault}\n`);
  process.exitCode = 2;
}
