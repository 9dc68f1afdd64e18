import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { canonicalJson, type Json, type JsonObject } from '../sdk/json.ts';
import type { Connection } from './connection.ts';
import { ownDirectory, type Environment } from './environment.ts';
import { parsedObject, textIn } from './json.ts';

/**
 * What the hooks of one session of a host tell each other, in a folder below `~/.local/state/countersign`: ids and digests, never what is
 * judged. All of it is hints: the server says what is so, and where the folder cannot be read or written, hooks do without.
 */
export interface HostState {
  /** Our session. */
  readonly session: Hint<{ readonly id: string }>;
  /** What became of a tool call, known by what identifies it. */
  call(call: Json): Hint<CallHint>;
}

/** A call that came before, by another event of the host or in an earlier attempt. */
export interface CallHint {
  /** Its idempotency key. */
  readonly key: string;
  /** Once it was allowed: the evaluation that says so. */
  readonly evaluationId: string | null;
  /** It was allowed with these arguments in place of those that the evaluation judged. */
  readonly isChanged: boolean;
  /** The hook's time was up while a person was asked, about the call with this digest: the very same call, made again, waits on instead of asking anew. */
  readonly waitsFor: string | null;
}

export interface Hint<T> {
  read(): T | null;
  write(value: T): void;
  remove(): void;
}

export interface StateOwner {
  readonly host: string;
  /** The host's id of the session. */
  readonly sessionId: string;
  readonly connection: Connection;
}

export function openHostState(surroundings: Environment, { host, sessionId, connection }: StateOwner): HostState {
  const base = path.join(ownDirectory(surroundings, 'state'), 'hooks');
  const folder = path.join(base, digestOf([connection.url.href, connection.token, connection.agent, host, sessionId]));
  return {
    session: hint(path.join(folder, 'session.json'), { parse: (text) => (textIn(text, 'id') === null ? null : { id: textIn(text, 'id') ?? '' }), beforeFirst: () => removeOld(base) }),
    call: (call) =>
      hint(path.join(folder, `call-${digestOf(call)}.json`), {
        parse: (text) => {
          const key = textIn(text, 'key');
          return key === null ? null : { key, evaluationId: textIn(text, 'evaluationId'), isChanged: text['isChanged'] === true, waitsFor: textIn(text, 'waitsFor') };
        },
      }),
  };
}

/** SHA-256 in hex of the value's canonical JSON. */
export function digestOf(value: Json): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex');
}

interface HintRules<T> {
  readonly parse: (text: JsonObject) => T | null;
  /** Runs before the folder is made. */
  readonly beforeFirst?: () => void;
}

function hint<T>(file: string, { parse, beforeFirst }: HintRules<T>): Hint<T> {
  return {
    read: () =>
      attempt(() => {
        const object = parsedObject(readFileSync(file, 'utf8'));
        return object && parse(object);
      }),
    write: (value) =>
      void attempt(() => {
        beforeFirst?.();
        mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
        const written = `${file}.${process.pid}`;
        writeFileSync(written, JSON.stringify(value), { mode: 0o600 });
        renameSync(written, file); // so that nobody reads a half
      }),
    remove: () => void attempt(() => rmSync(file, { force: true })),
  };
}

const keptMilliseconds = 14 * 86_400_000;

/** Of sessions that nobody has gone on with for two weeks. */
function removeOld(base: string): void {
  attempt(() => {
    const limit = performance.timeOrigin + performance.now() - keptMilliseconds;
    for (const name of readdirSync(base)) {
      const folder = path.join(base, name);
      if (statSync(folder).mtimeMs < limit) rmSync(folder, { recursive: true, force: true });
    }
  });
}

function attempt<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}
