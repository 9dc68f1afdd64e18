import type { ProgramHandler } from '../machine.ts';
import { carriers, suOrUser } from './carriers.ts';
import { evaluationBuiltins } from './evaluation.ts';
import { filters } from './filters.ts';
import { fd, find } from './find.ts';
import { git } from './git.ts';
import { interpreters } from './interpreters.ts';
import { remotes } from './remote.ts';
import { runners } from './runners.ts';
import { shell } from './shells.ts';
import { stateBuiltins } from './state.ts';
import { env, wrappers } from './wrappers.ts';
import { parallel, xargs } from './xargs.ts';

/** What is found only by its bare name. */
export const builtins: ReadonlyMap<string, ProgramHandler> = new Map([...evaluationBuiltins, ...stateBuiltins]);

/** What is found by its name, wherever it lies. */
export const programs: ReadonlyMap<string, ProgramHandler> = new Map([
  ...carriers,
  ...runners,
  ...wrappers,
  ...filters,
  ...interpreters,
  ...remotes,
  ...['sh', 'bash', 'zsh', 'dash', 'ksh', 'ash', 'mksh', 'yash', 'fish', 'tcsh', 'csh', 'rbash', 'rzsh', 'pdksh', 'oksh', 'ksh93', 'bosh', 'elvish', 'xonsh', 'nu'].map((name): [string, ProgramHandler] => [name, shell]),
  ...['su', 'runuser'].map((name): [string, ProgramHandler] => [name, suOrUser]),
  ['env', env],
  ['genv', env],
  ['find', find],
  ['gfind', find],
  ['fd', fd],
  ['fdfind', fd],
  ['xargs', xargs],
  ['gxargs', xargs],
  ['parallel', parallel],
  ['git', git],
]);
