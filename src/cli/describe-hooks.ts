import type { Command } from 'commander';
import type { DoctorOptions } from './doctor.ts';
import type { HookInstallOptions } from './hook-install.ts';

const hostNames = 'claude-code, codex, cursor, gemini-cli, opencode or copilot';

/** The commands around hooks of coding agents. Being a hook is in hook.ts, which starts faster than this. */
export function describeHooks(program: Command, exitWith: (code: number) => void): void {
  const hook = program
    .command('hook')
    .description(`Be the hook of a coding agent: \`hook HOST\` reads what the agent is about to do on stdin and answers in its words. HOST is ${hostNames}.`)
    .argument('<host>', hostNames)
    .option('--event <name>', 'the event, for hosts whose payloads do not name it')
    .option('--timeout <seconds>', 'how long the host lets the hook run; it denies 10 s before (default: as long as the host does by default)')
    .action(async (name: string) => {
      const { refuseHook } = await import('./hook.ts');
      refuseHook(name);
    });
  hook
    .command('install')
    .description("Write an agent's settings, so that it asks before it acts. What else is in them stays.")
    .argument('<host>', hostNames)
    .option('--scope <scope>', "user: all of your projects; project: this directory's settings, which others share (default: user)")
    .option('--print', 'print what the file would be, and write nothing')
    .option('--undo', 'take the hook out again')
    .option('--command <words>', 'what starts countersign (default: this program; with --scope project: countersign, found by PATH)')
    .option('--json', 'print JSON')
    .action(async (name: string, options: HookInstallOptions) => {
      const { installHook } = await import('./hook-install.ts');
      installHook(name, options);
    });
  program
    .command('doctor')
    .description('Prove, for each coding agent on this machine, that a denied call does not run, whatever breaks. Exit code 1: somewhere it would.')
    .argument('[hosts...]', `only these: ${hostNames}`)
    .option('--json', 'print JSON')
    .action(async (names: readonly string[], options: DoctorOptions) => {
      const { doctor } = await import('./doctor.ts');
      exitWith(await doctor(names, options));
    });
}
