import type { ProgramHandler } from '../machine.ts';
import { carriers } from './carriers.ts';
import { editors } from './editors.ts';
import { evaluationBuiltins } from './evaluation.ts';
import { fileMakers } from './files.ts';
import { filters } from './filters.ts';
import { fd, find } from './find.ts';
import { gh } from './gh.ts';
import { git } from './git.ts';
import { interpreters } from './interpreters.ts';
import { make } from './make.ts';
import { privileged } from './privileged.ts';
import { remotes } from './remote.ts';
import { runners } from './runners.ts';
import { printingSettings } from './settings.ts';
import { shell } from './shells.ts';
import { stateBuiltins } from './state.ts';
import { terminals } from './terminals.ts';
import { env, wrappers } from './wrappers.ts';
import { parallel, xargs } from './xargs.ts';

/** What is found only by its bare name. */
export const builtins: ReadonlyMap<string, ProgramHandler> = new Map([...evaluationBuiltins, ...stateBuiltins]);

/** What is found by its name, wherever it lies. */
export const programs: ReadonlyMap<string, ProgramHandler> = new Map([
  ...carriers,
  ...editors,
  ...terminals,
  ...fileMakers,
  ...['make', 'gmake', 'bmake', 'ninja'].map((name): [string, ProgramHandler] => [name, make]),
  ...runners,
  ...wrappers,
  ...filters,
  ...interpreters,
  ...remotes,
  ...['sh', 'bash', 'zsh', 'dash', 'ksh', 'ash', 'mksh', 'yash', 'fish', 'tcsh', 'csh', 'rbash', 'rzsh', 'pdksh', 'oksh', 'ksh93', 'bosh', 'elvish', 'xonsh', 'nu', 'osh', 'ysh', 'rc', 'es'].map((name): [string, ProgramHandler] => [name, shell]),
  ...privileged,
  ...printingSettings(new Map([...wrappers, ...runners])),
  ['gh', gh],
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
