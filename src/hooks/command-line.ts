import type { Host } from './host.ts';
import type { HookSetting } from './settings.ts';

/** Ends each of our command lines, so that we know them again: a comment for every POSIX shell. */
export const mark = '# countersign';

/** The words that start this program: `countersign`, or Node and a file. */
export type Program = readonly [string, ...string[]];

/**
 * The command line that a host's settings have for an event. Most hosts take a hook that is missing or was killed for permission, so the
 * shell says no in its place.
 */
export function commandLine(program: Program, host: Host, { event, guard, timeoutSeconds }: HookSetting): string {
  const words = [...program.map(quoted), ...hookWords(host, host.settings.namesEvent ? event : null, timeoutSeconds)].join(' ');
  if (guard === null) return `${words} ${mark}`;
  const otherwise = guard === 'exit' ? "{ echo 'Countersign: the hook failed, so nothing is permitted.' >&2; exit 2; }" : `printf '%s\\n' ${quoted(JSON.stringify(guard))}`;
  return `${words} || ${otherwise} ${mark}`;
}

export function hookWords({ name }: Host, event: string | null, timeoutSeconds: number): string[] {
  return ['hook', name, ...(event === null ? [] : ['--event', event]), '--timeout', String(timeoutSeconds)];
}

/** The same command line with another program in front. */
export function withProgram(line: string, host: Host, program: Program): string {
  const start = line.indexOf(` hook ${host.name}`);
  return `${program.map(quoted).join(' ')}${line.slice(start)}`;
}

/** For POSIX shells. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
