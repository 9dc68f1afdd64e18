import { anything, silence } from '../flow.ts';
import type { ProgramHandler } from '../machine.ts';

/** Programs that print settings for `eval`: for these arguments what they print counts as nothing. */
export function printingSettings(programs: ReadonlyMap<string, ProgramHandler>): ReadonlyMap<string, ProgramHandler> {
  return new Map([...settings].map(([name, words]): [string, ProgramHandler] => [name, (call, machine) => {
    const other = programs.get(name);
    const isSettings = words.length === 0 || words.includes(call.args[0]?.text ?? '');
    if (other && !isSettings) return other(call, machine);
    machine.emit(call);
    return isSettings ? silence : anything;
  }]));
}

/** What prints settings for `eval`, by the first of its arguments: assignments of its own variables and hooks, nothing of the agent's. */
const settings: ReadonlyMap<string, readonly string[]> = new Map([
  ['ssh-agent', ['', '-s', '-c', '-k']],
  ['dircolors', []],
  ['resize', []],
  ['brew', ['shellenv']],
  ['pyenv', ['init', 'virtualenv-init']],
  ['rbenv', ['init']],
  ['nodenv', ['init']],
  ['jenv', ['init']],
  ['goenv', ['init']],
  ['direnv', ['hook', 'export']],
  ['fnm', ['env']],
  ['opam', ['env', 'config']],
  ['conda', ['shell.bash', 'shell.zsh', 'shell.posix']],
  ['mise', ['activate', 'env']],
  ['starship', ['init']],
  ['zoxide', ['init']],
  ['minikube', ['docker-env']],
  ['docker-machine', ['env']],
  ['luarocks', ['path']],
  ['keychain', []],
]);
