import type { ShellCommand } from '../../shell/command-line.ts';
import type { Change, Gates } from './gates.ts';

/** `cd`, `chdir`, `pushd`, `popd`: gated unless the target is known and allowed. Without a target it leads home, or back. */
export function judgeCd({ program, path, words, environment }: ShellCommand, { blockCd, allowed }: Gates): Change | null {
  // By a path it would be a program, which cannot change the directory of the shell.
  if (!blockCd || path.includes('/')) return null;
  const targets = words.filter((word) => word.text !== '--' && (!word.text.startsWith('-') || !word.certain));
  // zsh puts the second word into the place of the first.
  const places = program === 'pushd' ? targets.slice(0, 1) : targets;
  if (places.length > 0 && places.every((target) => allowed.includes(target) && !isLookedUp(target.text, environment))) return null;
  return { what: [program, ...words.map((word) => word.text)].join(' '), isCertain: true };
}

/** With `CDPATH` a relative target is looked for elsewhere first. */
function isLookedUp(target: string, environment: ShellCommand['environment']): boolean {
  const elsewhere = environment.get('CDPATH');
  return elsewhere !== undefined && elsewhere.text !== '' && !/^(\/|\.\.?(\/|$))/.test(target);
}
