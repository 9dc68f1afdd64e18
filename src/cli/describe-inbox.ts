import type { Command } from 'commander';
import type { InboxOptions } from './inbox.ts';

export function describeInbox(program: Command): void {
  program
    .command('inbox')
    .description('Decide what waits for a person, in the terminal: read it, accept, decline with a reason, edit. COUNTERSIGN_URL and COUNTERSIGN_TOKEN say where Countersign is.')
    .option('--once', 'print what is pending, a line each, and end')
    .option('--json', 'with --once: print JSON')
    .option('--session <id>', 'only this session and its sub-agents')
    .action(async (options: InboxOptions) => {
      const { openInbox } = await import('./inbox.ts');
      await openInbox(options);
    });
}
