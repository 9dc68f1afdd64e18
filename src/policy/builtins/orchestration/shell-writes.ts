import type { ShellCommand, ShellReading, Word } from '../../shell/command-line.ts';
import { mightRun } from '../../shell/command-line.ts';
import { joinPath, normalPath } from '../../shell/path.ts';
import { gitWrites } from './git-writes.ts';
import { pathReach } from './path-reach.ts';
import { writtenWords, writingPrograms } from './writing-programs.ts';

/** A write of a command line, by a redirection or by a program that is known to write, and where it leads. */
export interface ShellWrite {
  readonly what: string;
  /** `uncertain`: it may lead outside. */
  readonly reach: 'outside' | 'runs' | 'uncertain';
}

/** Only writes that do not lead into the working tree. What a program does of its own cannot be seen from here. */
export function shellWrites(reading: ShellReading): readonly ShellWrite[] {
  const writes = reading.commands.flatMap((command) => targetsOf(command).flatMap((target) => judged(target, command)));
  return mightRun(reading, writingPrograms) ? [...writes, { what: reading.unknowns[0]?.source ?? '', reach: 'uncertain' }] : writes;
}

function targetsOf(command: ShellCommand): readonly Word[] {
  const redirected = command.redirects.filter(({ operator }) => operator.includes('>')).map(({ target }) => target);
  return [...redirected, ...(command.program === 'git' ? gitWrites(command) : writtenWords(command))];
}

function judged(target: Word, { directory, supposed }: ShellCommand): readonly ShellWrite[] {
  const reach = reachOf(target, directory);
  if (reach === 'inside') return [];
  return [{ what: target.text, reach: supposed && reach === 'outside' ? 'uncertain' : reach }];
}

function reachOf(target: Word, directory: string | null): ShellWrite['reach'] | 'inside' {
  if (target.certain) return reachOfPath(target.text, directory);
  const [start = ''] = target.known;
  // What begins with something known stays where that leads, as long as nobody means to deceive; what begins with a variable may lead anywhere.
  if (start === '') return /^(?:\$(?!\(mktemp|\{?\w*te?mp)|`(?!mktemp))/i.test(target.text) ? 'uncertain' : 'inside';
  const reach = reachOfPath(start, directory);
  return reach === 'outside' && isScratch(start) ? 'inside' : reach;
}

function reachOfPath(path: string, directory: string | null): ShellWrite['reach'] | 'inside' {
  if (/^[/~]/.test(path)) return isScratch(path) ? 'inside' : 'outside';
  const joined = joinPath(directory, path);
  if (joined === null) return pathReach(path) === 'inside' ? 'uncertain' : pathReach(path);
  // A line that changes to an absolute directory may well change into the working tree.
  if (/^[/~]/.test(joined)) return isScratch(joined) ? 'inside' : isSystem(joined) ? 'outside' : 'uncertain';
  return pathReach(joined);
}

/** Where everyone may write, and what leads nowhere. */
function isScratch(path: string): boolean {
  const normal = normalPath(path);
  return /^\/(?:dev\/(?:null|stdout|stderr|tty|fd\/\d+)$|(?:tmp|var\/tmp|dev\/shm)(?:\/|$))/.test(normal);
}

function isSystem(path: string): boolean {
  return /^(?:~\/?(?:\.|[^/]*$)|\/(?:etc|usr|bin|sbin|lib\d*|var|boot|dev|proc|sys|root)(?:\/|$)|\/[^/]*$)/.test(path);
}
