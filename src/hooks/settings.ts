import type { JsonObject } from '../sdk/json.ts';
import type { Environment } from './environment.ts';

/** What a host's settings must have for us to be its hook: entries of lists below `hooks`, one list for each event. */
export interface Settings {
  /** The file; `install` makes it where there is none. */
  place(scope: Scope, surroundings: Environment): Place;
  /** What a new file begins with. */
  readonly base: JsonObject;
  /** The key of the file that, when true, turns all hooks off; null: there is none. */
  readonly disabledBy: string | null;
  /** The fields of an entry that make the host deny when the hook fails; null: the host has no such switch. */
  readonly failClosed: JsonObject | null;
  /** Empty: the file is a plugin that calls the command (opencode). */
  readonly hooks: readonly HookSetting[];
  /** The entry for an event, with this command line. */
  entry(hook: HookSetting, command: string): JsonObject;
  /** Its payloads do not name their event, so that the command line must. */
  readonly namesEvent?: true;
  /** A payload of the event before a tool call: `doctor` sends it. */
  readonly drill: JsonObject;
  /** What is left to do, for people. */
  readonly afterInstall: string;
  /** What the host cannot be made to do, for people. */
  readonly gaps: readonly string[];
}

export type Scope = 'user' | 'project';

export interface Place {
  readonly file: string;
  /** Is there where the host is installed, or is used in this project. */
  readonly directory: string;
}

export interface HookSetting {
  readonly event: string;
  /** What the command line does where the hook itself cannot deny, because it is missing or was killed: exit code 2, or to print this; null: nothing, for it is told of what has happened already. */
  readonly guard: 'exit' | JsonObject | null;
  /** How long a person may take. The hook denies 10 s before. */
  readonly timeoutSeconds: number;
}

interface Directories {
  /** The variable that moves it, if there is one, and where it is by default, below the home directory. */
  readonly user: readonly [variable: string | null, folder: string];
  /** Below the project's directory. */
  readonly project: string;
  /** Below either of them. */
  readonly file: string;
}

export function inDirectory({ user: [variable, folder], project, file }: Directories): Settings['place'] {
  return (scope, { variables, home, directory }) => {
    const moved = variable === null ? undefined : variables[variable];
    const base = scope === 'project' ? `${directory}/${project}` : moved || `${home}/${folder}`;
    return { directory: base, file: `${base}/${file}` };
  };
}

/** As Claude Code has it, and who followed it: hooks in groups of one matcher. */
export function groupedEntry(matcher: JsonObject, hook: JsonObject): JsonObject {
  return { ...matcher, hooks: [hook] };
}
