import { isJsonList, type Json, type JsonObject } from '../../json.ts';

/**
 * The sandbox that an agent gets: what it declares, overlaid with what is enforced, reduced to the keys that are known. What it declares
 * may narrow the sandbox, but not open the machine: that would be the agent under control setting its own bounds.
 */
export function tightenedSandbox(declared: JsonObject, { enforced, allowNetwork }: { enforced: JsonObject; allowNetwork: boolean }): JsonObject {
  const { allow_network: network = true } = declared;
  const kept = Object.entries(declared).flatMap(([key, value]): [string, Json][] => {
    const restrained = Object.hasOwn(restraints, key) ? restraints[key]?.(value) : undefined;
    return restrained === undefined ? [] : [[key, restrained]];
  });
  return { ...Object.fromEntries(kept), ...enforced, allow_network: allowNetwork && (network === true || network === null) };
}

/** Known key → what of an agent's declaration stands; undefined: nothing. */
const restraints: Readonly<Record<string, (declared: Json) => Json | undefined>> = {
  read_paths: (paths) => listWithout(paths, exposes),
  write_paths: (paths) => listWithout(paths, (path) => exposes(path) || isSystem(path) || leadsUp(path)),
  write_files: (paths) => listWithout(paths, (path) => exposes(path) || isSystem(path) || leadsUp(path)),
  cwd_allow_hidden: (declared) => declared,
  env_passthrough: (names) => listWithout(names, (name) => name.includes('*')),
  egress_rules: (declared) => declared,
  egress_allow_private_destinations: (declared) => (declared === false ? false : undefined),
  cwd_hidden_scan_max_entries: (declared) => declared,
  cwd_hidden_scan_overflow: (declared) => declared,
};

function listWithout(declared: Json, isRefused: (text: string) => boolean): Json | undefined {
  if (!isJsonList(declared)) return typeof declared === 'string' && isRefused(declared) ? undefined : declared;
  return declared.filter((item) => typeof item !== 'string' || !isRefused(item));
}

/** The root of the file system, a home directory, its hidden files, or a directory above the agent's own. */
function exposes(path: string): boolean {
  if (path.length > pathCharsMax) return true;
  const parts = partsOf(path);
  if (/^[a-z]:$/i.test(parts.join('/'))) return true;
  if (parts.every((part) => part === '..' || part === '*' || part === '**')) return isAbsolute(path) || parts.length > 0;
  const inHome = homeParts(path, parts);
  return inHome !== null && (inHome.length === 0 || (inHome[0] ?? '').startsWith('.') || (inHome[0] ?? '').startsWith('*'));
}

/** No system opens a longer path. */
const pathCharsMax = 4096;

function leadsUp(path: string): boolean {
  return partsOf(path)[0] === '..';
}

function isSystem(path: string): boolean {
  return isAbsolute(path) && systemDirectories.has((partsOf(path).find((part) => !/^[a-z]:$/i.test(part)) ?? '').toLowerCase());
}

const systemDirectories: ReadonlySet<string> = new Set([
  ...['etc', 'usr', 'bin', 'sbin', 'lib', 'lib32', 'lib64', 'var', 'boot', 'dev', 'proc', 'sys', 'run', 'root'],
  ...['system', 'library', 'applications', 'private', 'windows'],
]);

function isAbsolute(path: string): boolean {
  return /^\s*(?:[/\\]|[a-z]:)/i.test(path);
}

/** What follows a home directory; null: the path leads to none. */
function homeParts(path: string, parts: readonly string[]): readonly string[] | null {
  const [first = ''] = parts;
  if (/^(?:~|\$HOME$|\$\{HOME\}$|%USERPROFILE%$)/i.test(first)) return parts.slice(1);
  if (!isAbsolute(path)) return null;
  if (first === 'root') return parts.slice(1);
  return first.toLowerCase() === 'home' || first.toLowerCase() === 'users' ? parts.slice(2) : null;
}

/** Without `.` and `a/..`; `..` stands only at the start, and not in front of a root. */
function partsOf(path: string): readonly string[] {
  const parts: string[] = [];
  for (const part of path.trim().split(/[/\\]/)) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (!isAbsolute(path)) parts.push(part);
  }
  return parts;
}
