import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { ownDirectory, type Environment } from './environment.ts';
import { parsedObject } from './json.ts';

/** Which server, and who we are there. */
export interface Connection {
  readonly url: URL;
  readonly token: string | null;
  /** The name of the agent whose sessions these are; null: the host's name. */
  readonly agent: string | null;
}

/** A connection that cannot be used as it is written. The message is one line and says where, and what would be right. */
export class ConnectionFault extends Error {
  override readonly name = 'ConnectionFault';
}

/**
 * From COUNTERSIGN_URL, COUNTERSIGN_TOKEN and COUNTERSIGN_AGENT, else from config.json in `~/.config/countersign`; default: the server
 * of this machine, without a token. A token goes only to the server that it was written down for: not from the file to another
 * COUNTERSIGN_URL, which a project may have set. Throws a `ConnectionFault`.
 */
export function findConnection(surroundings: Environment): Connection {
  const { variables } = surroundings;
  const file = readConnectionFile(path.join(ownDirectory(surroundings, 'config'), 'config.json'));
  const url = urlOf(variables['COUNTERSIGN_URL'] ? { source: 'COUNTERSIGN_URL', text: variables['COUNTERSIGN_URL'] } : { source: `${file.name}: url`, text: file.url });
  const isFilesServer = url.href === urlOf({ source: `${file.name}: url`, text: file.url }).href;
  const filesToken = isFilesServer ? file.token() : null;
  return { url, token: variables['COUNTERSIGN_TOKEN'] || filesToken, agent: variables['COUNTERSIGN_AGENT'] || file.agent };
}

const urlByDefault = 'http://127.0.0.1:4000/graphql';

interface ConnectionFile {
  readonly name: string;
  readonly url: string;
  readonly agent: string | null;
  /** Throws where others may read it. */
  token(): string | null;
}

function readConnectionFile(name: string): ConnectionFile {
  const text = textOf(name);
  if (text === null) return { name, url: urlByDefault, agent: null, token: () => null };
  const object = parsedObject(text);
  if (!object) throw new ConnectionFault(`${name} must hold a JSON object, e.g. { "url": "${urlByDefault}", "token": "…" }`);
  const unknown = Object.keys(object).find((key) => !['url', 'token', 'agent'].includes(key));
  if (unknown !== undefined) throw new ConnectionFault(`${name}: there is no key ${JSON.stringify(unknown)}, only url, token and agent`);
  const [url, token, agent] = ['url', 'token', 'agent'].map((key) => {
    const value = object[key];
    if (value !== undefined && (typeof value !== 'string' || value === '')) throw new ConnectionFault(`${name}: ${key} must be a text`);
    return value ?? null;
  }) as [string | null, string | null, string | null];
  const ownToken = () => {
    if (token !== null && process.platform !== 'win32' && (statSync(name).mode & 0o077) !== 0) throw new ConnectionFault(`${name} has a token, and others than its owner may read it: run chmod 600 ${name}`);
    return token;
  };
  return { name, url: url ?? urlByDefault, agent, token: ownToken };
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw new ConnectionFault(`${file} cannot be read: ${(error as Error).message}`);
  }
}

function urlOf({ source, text }: { source: string; text: string }): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol)) throw new ConnectionFault(`${source} must be a URL of http or https, e.g. ${urlByDefault}`);
  if (url.pathname === '/') url.pathname = '/graphql';
  return url;
}
