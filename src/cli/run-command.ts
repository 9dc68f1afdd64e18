import { readFileSync } from 'node:fs';
import module from 'node:module';
import { Command, CommanderError } from 'commander';
import type { ConfigSources } from '../config.ts';
import { describeHooks } from './describe-hooks.ts';
import { describeInbox } from './describe-inbox.ts';
import { describeMcp } from './describe-mcp.ts';
import type { HandlerSources } from './handler-registry.ts';
import type { KeysCreateOptions } from './keys.ts';
import type { PolicySimulateOptions } from './policy-simulate.ts';

/** Runs one command line and gives its exit code: 0 done, 1 the answer is no, 2 wrong use or a fault, with one line on stderr. */
export async function runCommand(args: readonly string[]): Promise<number> {
  module.enableCompileCache(); // the second start is faster for it
  let exitCode = 0;
  const program = describeCommands((code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync([...args], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return wantedText.has(error.code) ? 0 : 2;
    process.stderr.write(`countersign: ${describeFault(error)}\n`);
    return 2;
  }
}

/** What commander calls it when it has printed what was asked for. */
const wantedText = new Set(['commander.helpDisplayed', 'commander.version']);

/** By name, so that no command loads what only another one throws. */
const expectedFaults = new Set(['AccessFault', 'ConfigFault', 'ConnectionFault', 'DatabaseFault', 'EventsFault', 'ListenFault', 'PolicyModuleFault', 'SettingsFault', 'UpstreamFault', 'UsageFault']);

function describeFault(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return expectedFaults.has(error.name) ? error.message : (error.stack ?? error.message);
}

const configOption = ['--config <file>', 'configuration file (default: countersign.config.ts, .js or .json, if there is one)'] as const;
const moduleOption = ['--module <file>', "a module of handlers of one's own, beside those that the configuration names; give it again for each", (file: string, others: readonly string[] = []) => [...others, file]] as const;

/** Each command is loaded when it runs: none waits for what another one needs. */
function describeCommands(exitWith: (code: number) => void): Command {
  const program = new Command('countersign')
    .description('Stands between an AI agent and what it wants to do: policies allow, deny or ask, and a person decides.')
    .version(version())
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(`countersign: ${text.replace(/^error: /, '').trim().replaceAll('\n', ' ')}\n`) });

  program
    .command('serve')
    .description('Bring the database up to date and serve, until SIGTERM or SIGINT. Prints one line on stdout when it is ready.')
    .option('--host <address>', 'address to listen on, beyond this machine only once there are keys (default: 127.0.0.1)')
    .option('--port <number>', 'port to listen on, 0 for any free one (default: 4000)')
    .option('--database <url>', 'where everything is stored (default: sqlite:countersign.db)')
    .option(...configOption)
    .action(async ({ config, ...flags }: { host?: string; port?: string; database?: string; config?: string }) => {
      const { serve } = await import('./serve.ts');
      exitWith(await serve({ flags, file: config }));
    });

  program
    .command('migrate')
    .description('Bring the schema of the database up to date. `serve` does it, too.')
    .option('--status', 'only say what is applied; exit code 1 when something is not')
    .option('--accept-secret-key', 'take the secret key as it is now: for whoever has lost the one that the database was served with')
    .option('--json', 'print JSON')
    .option('--database <url>', 'the database (default: sqlite:countersign.db)')
    .option(...configOption)
    .action(async ({ config, database, status = false, json = false, acceptSecretKey = false }: DatabaseFlags & { status?: boolean; json?: boolean; acceptSecretKey?: boolean }) => {
      const { migrateDatabase } = await import('./migrate.ts');
      exitWith(await migrateDatabase({ sources: { flags: { database }, file: config }, status, json, acceptSecretKey }));
    });

  program
    .command('config')
    .description('Print the effective configuration as JSON: defaults, then the configuration file, then COUNTERSIGN_* variables.')
    .option('--json', 'print JSON, which it does anyway')
    .option(...configOption)
    .action(async ({ config }: { config?: string }) => {
      const { printConfig } = await import('./config.ts');
      await printConfig(config);
    });

  describeHooks(program, exitWith);
  describeInbox(program);
  describeMcp(program);
  describeKeys(program);
  describeAudit(program, exitWith);

  const policy = program.command('policy').description('Look at policies, and test them.');
  policy
    .command('list')
    .description('List the handlers that a policy can have.')
    .argument('[name]', 'only this one, in full')
    .option('--verbose', 'list them in full: description, phases and params')
    .option('--json', 'print JSON, always in full')
    .option(...configOption)
    .option(...moduleOption)
    .action(async (name: string | undefined, { verbose = false, json = false, ...sources }: HandlerSources & { verbose?: boolean; json?: boolean }) => {
      const { listPolicies } = await import('./policy-list.ts');
      await listPolicies({ name, verbose, json, ...sources });
    });
  policy
    .command('test')
    .description('Run vectors: what handlers are to answer, one JSON object a line. Exit code 1 when one fails.')
    .argument('<files...>', 'files of vectors; - for stdin')
    .option('--exceptions <file>', 'verdicts that count instead, one {"id", "verdict", "reason"} a line')
    .option('--json', 'print JSON')
    .option(...configOption)
    .option(...moduleOption)
    .action(async (files: readonly string[], { exceptions, json = false, ...sources }: HandlerSources & { exceptions?: string; json?: boolean }) => {
      const { testPolicies } = await import('./policy-test.ts');
      exitWith(await testPolicies({ files, exceptions, json, ...sources }));
    });
  policy
    .command('simulate')
    .description('Say what a handler makes of one event, and how that comes about. Nothing is stored, and no server is needed.')
    .requiredOption('--handler <name>', 'the handler')
    .requiredOption('--event <json>', 'the event, as evaluatePolicy takes it or as policies see it: JSON, a file, or - for stdin')
    .option('--params <json>', 'what the handler takes (default: {})')
    .option('--state <json>', "the session's state (default: {})")
    .option('--labels <json>', "the session's labels (default: {})")
    .option('--usage <json>', 'what was used so far, e.g. {"totalCostUsd": 4.5} (default: nothing)')
    .option('--model <name>', 'the model that the agent runs with')
    .option('--llm-answer <text>', 'what the judging model answers (default: none is configured)')
    .option('--json', 'print JSON')
    .option(...configOption)
    .option(...moduleOption)
    .action(async (options: PolicySimulateOptions) => {
      const { simulatePolicy } = await import('./policy-simulate.ts');
      await simulatePolicy(options);
    });
  return program;
}

interface DatabaseFlags {
  readonly config?: string;
  readonly database?: string;
}

function onDatabase(command: Command): Command {
  return command
    .option('--json', 'print JSON')
    .option('--database <url>', 'the database (default: sqlite:countersign.db)')
    .option(...configOption);
}

function sourcesOf({ config, database }: DatabaseFlags): ConfigSources {
  return { flags: { database }, file: config };
}

function describeAudit(program: Command, exitWith: (code: number) => void): void {
  const audit = program.command('audit').description('Prove and export the audit log, whether or not a server runs on the database.');
  onDatabase(audit.command('verify').description('Look whether the audit log is what was written, entry by entry, and agrees with the signed checkpoints. Exit code 1 when it does not.')).action(async ({ json = false, ...flags }: DatabaseFlags & { json?: boolean }) => {
    const { verifyAudit } = await import('./audit.ts');
    exitWith(await verifyAudit(sourcesOf(flags), { json }));
  });
  onDatabase(audit.command('export').description('Print the audit log, one JSON object a line, oldest first.')).action(async (flags: DatabaseFlags) => {
    const { exportAudit } = await import('./audit.ts');
    await exportAudit(sourcesOf(flags));
  });
}

function describeKeys(program: Command): void {
  const keys = program.command('keys').description('Make, list and revoke API keys. From the first key on nobody is let in without one.');

  onDatabase(keys.command('create').description('Create a key and print its token, which is shown only now.'))
    .requiredOption('--role <role>', 'agent, approver, admin or viewer')
    .requiredOption('--name <name>', 'what the key is called: unique, also among revoked keys')
    .option('--owner <user>', 'the user behind it; nobody approves what another key of theirs asks for (default: named like the key)')
    .option('--agents <patterns...>', 'names of the agents that it reaches, * for any text (default: all)')
    .option('--own-sessions-only', "reach only the owner's sessions, as agents do anyway")
    .option('--expires-in-days <days>', 'from when on it opens nothing (default: never by itself)')
    .action(async (options: DatabaseFlags & KeysCreateOptions) => {
      const { createKey } = await import('./keys.ts');
      await createKey(sourcesOf(options), options);
    });
  onDatabase(keys.command('list').description('List all keys, revoked ones included. Tokens are stored nowhere, so none is shown.')).action(async (options: DatabaseFlags & { json?: boolean }) => {
    const { listKeys } = await import('./keys.ts');
    await listKeys(sourcesOf(options), options);
  });
  onDatabase(keys.command('revoke').description('Revoke a key for good.').argument('<key>', 'its id or its name')).action(async (idOrName: string, options: DatabaseFlags & { json?: boolean }) => {
    const { revokeKey } = await import('./keys.ts');
    await revokeKey(sourcesOf(options), { idOrName, ...options });
  });
}

function version(): string {
  return (JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }).version;
}
