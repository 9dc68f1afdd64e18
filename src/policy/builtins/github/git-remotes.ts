import type { Word } from '../../shell/command-line.ts';
import { configured, type ConfigEntry } from './git-config.ts';
import { addressesOf, readRemoteAddress, unknownRepository, type Mention } from './repository.ts';

/**
 * The repositories that a remote may mean: an address, or a name. What a name means the repository's own configuration
 * says, which is not known; what the line itself gives it counts beside that.
 */
export function readRemote(remote: Word, { config, pushes }: RemoteUse): readonly Mention[] {
  if (!remote.certain) return [unknownRepository];
  const given = addressesOfName(remote.text, config);
  if (given.length > 0) return [unknownRepository, ...given.flatMap((word) => readAddress(word, { config, pushes }))];
  return readAddress(remote, { config, pushes });
}

/** The repositories to which a push without a remote goes. */
export function readDefaultRemote(config: readonly ConfigEntry[]): readonly Mention[] {
  const remotes = ['remote.pushdefault', 'branch.*.pushremote', 'branch.*.remote'].flatMap((key) => configured(config, key));
  const mentions = remotes.flatMap((remote) => readRemote(remote, { config, pushes: true }));
  const origin = addressesOfName('origin', config).flatMap((word) => readAddress(word, { config, pushes: true }));
  return [unknownRepository, ...mentions, ...origin];
}

/** Whether a setting would let the address of one of these repositories reach another one. */
export function redirects({ key, value }: ConfigEntry, names: Iterable<string>): boolean {
  if (!rewriting.test(key)) return false;
  for (const name of names) {
    for (const address of addressesOf(name)) {
      const rewritten = readAddress({ text: address, certain: true, plural: false, known: [address] }, { config: [{ key, value }], pushes: true });
      if (!rewritten.every((mention) => mention.kind === 'repository' && mention.name === name)) return true;
    }
  }
  return false;
}

export interface RemoteUse {
  readonly config: readonly ConfigEntry[];
  readonly pushes: boolean;
}

function addressesOfName(name: string, config: readonly ConfigEntry[]): readonly Word[] {
  const before = configured(config, `remote.${name}.renamed`).flatMap((old) => (old.text === name ? [] : ['url', 'pushurl'].map((key) => [old.text, key] as const)));
  const own = [[name, 'url'] as const, [name, 'pushurl'] as const];
  return [...own, ...before].flatMap(([remote, key]) => configured(config, `remote.${remote}.${key}`));
}

/** After `url.<base>.insteadOf` and `pushInsteadOf`, of which the longest that fits counts. */
function readAddress(address: Word, { config, pushes }: RemoteUse): readonly Mention[] {
  if (!address.certain) return [unknownRepository];
  let bases: string[] = [];
  let longest = 0;
  for (const { key, value } of config) {
    const [, base = '', push] = rewriting.exec(key) ?? [];
    if (base === '' || (push !== undefined && !pushes)) continue;
    if (!value.certain) return [unknownRepository];
    if (!address.text.startsWith(value.text) || value.text.length < longest) continue;
    if (value.text.length > longest) bases = [];
    longest = value.text.length;
    bases.push(base);
  }
  if (bases.length === 0) return [readRemoteAddress(address.text)];
  return bases.map((base) => readRemoteAddress(base + address.text.slice(longest)));
}

const rewriting = /^url\.(.+)\.(push)?insteadof$/s;
