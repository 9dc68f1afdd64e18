import type { ShellCommand, Word } from '../../../shell/command-line.ts';

/** Whether a command only shows its help, or tells what it would do. A dry run of `git push` is a push for this policy: it reaches the remote. */
export function changesNothing({ program, words }: ShellCommand): boolean {
  const end = words.findIndex((word) => word.text === '--');
  const options = words.slice(0, end < 0 ? words.length : end).filter((word) => word.certain);
  return showsHelp(program, options) || (dryRuns.get(program)?.test(options.map((word) => word.text).join(' ')) ?? false);
}

function showsHelp(program: string, options: readonly Word[]): boolean {
  const flags = helpFlags.get(program);
  if (flags) return options.some((word) => flags.includes(word.text));
  // Programs of other systems take what stands behind an operand for a name.
  return options.slice(0, Math.max(0, options.findIndex((word) => !word.text.startsWith('-')))).some(isHelp) || options.every((word) => word.text.startsWith('-')) && options.some(isHelp);
}

function isHelp({ text }: Word): boolean {
  return text === '--help';
}

/** Programs with subcommands take these wherever they stand. */
const helpFlags: ReadonlyMap<string, readonly string[]> = new Map([
  ...['git', 'gh', 'kubectl', 'oc', 'k'].map((name): [string, string[]] => [name, ['--help', '-h']]),
  ...['terraform', 'tofu'].map((name): [string, string[]] => [name, ['--help', '-help', '-h']]),
  ...['helm', 'docker', 'podman', 'npm', 'pnpm', 'yarn', 'cargo', 'gcloud', 'az', 'fly', 'vercel', 'pulumi', 'cdk', 'databricks'].map((name): [string, string[]] => [name, ['--help']]),
]);

const dryRuns: ReadonlyMap<string, RegExp> = new Map([
  ...['kubectl', 'oc', 'k'].map((name): [string, RegExp] => [name, /(?:^| )--dry-run(?:=(?:client|server))?(?: |$)/]),
  ['helm', /(?:^| )--dry-run(?:=(?:client|server))?(?: |$)/],
  ['aws', /(?:^| )--dryrun(?: |$)/],
  ['rsync', /(?:^| )(?:--dry-run|-[A-Za-z]*n[A-Za-z]*)(?: |$)/],
]);
