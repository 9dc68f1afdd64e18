import { homedir } from 'node:os';
import path from 'node:path';

/** Where a hook runs. Read here and not in config.ts: that one loads the server's whole schema, for which a hook has no time. */
export interface Environment {
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** The working directory, which is the project's. */
  readonly directory: string;
}

export function environment(): Environment {
  return { variables: process.env, home: homedir(), directory: process.cwd() };
}

/** Ours below one of the XDG base directories, such as `~/.config/countersign`. */
export function ownDirectory({ variables, home }: Environment, kind: 'config' | 'state'): string {
  const [variable, byDefault] = kind === 'config' ? ['XDG_CONFIG_HOME', '.config'] : ['XDG_STATE_HOME', '.local/state'];
  const given = variables[variable];
  return path.join(given !== undefined && path.isAbsolute(given) ? given : path.join(home, byDefault), 'countersign');
}
