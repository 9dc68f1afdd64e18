import { loadConfig, type ConfigSources } from '../config.ts';
import { openKeyring, type Keyring } from '../main.ts';
import { printable } from './printable.ts';
import { UsageFault } from './usage-fault.ts';

type Key = Awaited<ReturnType<Keyring['list']>>[number];

const roles = ['AGENT', 'APPROVER', 'ADMIN', 'VIEWER'] as const;

export interface KeysCreateOptions {
  readonly role: string;
  readonly name: string;
  readonly owner?: string;
  readonly agents?: string[];
  readonly ownSessionsOnly?: boolean;
  readonly expiresInDays?: string;
  readonly json?: boolean;
}

/** Prints the token, alone on stdout so that it can be piped, or a JSON object that has it. */
export async function createKey(sources: ConfigSources, { json = false, ...options }: KeysCreateOptions): Promise<void> {
  const role = roles.find((each) => each === options.role.toUpperCase());
  if (!role) throw new UsageFault(`--role must be one of ${roles.map((each) => each.toLowerCase()).join(', ')}, not ${JSON.stringify(options.role)}`);
  const { name, owner, agents, ownSessionsOnly } = options;
  const milliseconds = options.expiresInDays === undefined ? null : inMilliseconds(options.expiresInDays);
  const outcome = await withKeyring(sources, (keyring) => {
    const expiresAt = milliseconds === null ? null : new Date(keyring.now().getTime() + milliseconds);
    return keyring.create({ name, role, owner, agents, ownSessionsOnly, expiresAt });
  });
  if (outcome.kind === 'invalidInput') throw new UsageFault(outcome.issues.map(({ path, message }) => `--${flagOf(path[0])} ${message}`).join('; '));
  if (outcome.kind === 'conflict') throw new UsageFault(outcome.message);
  const { key, token } = outcome;
  if (json) {
    print(JSON.stringify({ ...asJson(key), token }));
    return;
  }
  print(token);
  process.stderr.write(`${key.id}: ${key.role.toLowerCase()} key "${printable(key.name)}", owned by ${printable(key.owner.id)}. The token is shown only now; send it as "Authorization: Bearer <token>".\n`);
}

export async function listKeys(sources: ConfigSources, { json = false }: { readonly json?: boolean }): Promise<void> {
  const { keys, now } = await withKeyring(sources, async (keyring) => ({ keys: await keyring.list(), now: keyring.now() }));
  print(json ? JSON.stringify(keys.map(asJson), null, 2) : table(keys, now));
}

function table(keys: readonly Key[], now: Date): string {
  const rows = [['ID', 'ROLE', 'NAME', 'OWNER', 'TOKEN', 'LAST USED', 'STATUS'], ...keys.map((key) => row(key, now))];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0))) ?? [];
  return rows.map((cells) => cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ').trimEnd()).join('\n');
}

export async function revokeKey(sources: ConfigSources, { idOrName, json = false }: { readonly idOrName: string; readonly json?: boolean }): Promise<void> {
  const key = await withKeyring(sources, async (keyring) => {
    const known = (await keyring.list()).find(({ id, name }) => id === idOrName || name === idOrName);
    if (!known) throw new UsageFault(`There is no key ${JSON.stringify(idOrName)}: \`countersign keys list\` names them`);
    return keyring.revoke(known.id);
  });
  print(json ? JSON.stringify(asJson(key)) : `${key.id} is revoked: within seconds it opens nothing`);
}

async function withKeyring<T>(sources: ConfigSources, work: (keyring: Keyring) => Promise<T>): Promise<T> {
  const keyring = await openKeyring(await loadConfig(sources));
  try {
    return await work(keyring);
  } finally {
    await keyring.close();
  }
}

function inMilliseconds(text: string): number {
  const days = Number(text);
  if (!(days > 0 && days <= 36_500)) throw new UsageFault(`--expires-in-days must be a number above 0 and at most 36,500, not ${JSON.stringify(text)}`);
  return days * 86_400_000;
}

function flagOf(field = 'name'): string {
  return field === 'expiresAt' ? 'expires-in-days' : field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function row({ id, role, name, owner, hint, lastUsedAt, revokedAt, expiresAt }: Key, now: Date): string[] {
  const status = revokedAt ? 'revoked' : !expiresAt ? 'valid' : expiresAt <= now ? 'expired' : `valid until ${expiresAt.toISOString()}`;
  return [id, role.toLowerCase(), printable(name), printable(owner.id), `${hint}…`, lastUsedAt?.toISOString() ?? 'never', status];
}

function asJson({ id, name, role, owner, agents, ownSessionsOnly, hint, createdAt, expiresAt, revokedAt, lastUsedAt }: Key): object {
  return { id, name, role, owner: owner.id, agents: agents ?? null, ownSessionsOnly, hint, createdAt, expiresAt: expiresAt ?? null, revokedAt: revokedAt ?? null, lastUsedAt: lastUsedAt ?? null };
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
