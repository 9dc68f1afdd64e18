import { foldName } from '../../folded-name.ts';

/** What a text, an address or an argument says about the repository that it names. */
export type Mention =
  | {
      readonly kind: 'repository';
      /** `owner/repo` in lower case. */
      readonly name: string;
      /**
       * Spelled the way GitHub itself spells it. A spelling that only some programs read so (capitals in the host, a
       * trailing dot, a path with `..`) denies like any other, but allows nothing.
       */
      readonly plain: boolean;
    }
  | { readonly kind: 'unknown' };

export const unknownRepository: Mention = { kind: 'unknown' };

/** A repository as allowlists, `--repo` and arguments of tools name it: `owner/repo`, `github.com/owner/repo`, or an address. */
export function readRepository(text: string): Mention {
  if (text.length > addressCharsMax) return unknownRepository;
  const trimmed = text.trim();
  if (bareName.test(trimmed)) return repositoryOfPath(trimmed, true);
  if (isAddress(trimmed)) return readRemoteAddress(trimmed);
  const slash = trimmed.indexOf('/');
  return slash < 0 ? unknownRepository : repositoryOnHost(trimmed.slice(0, slash), { path: trimmed.slice(slash + 1), plain: true });
}

/** The repositories of an allowlist. What names none allows none. */
export function readAllowlist(entries: readonly string[] | null): ReadonlySet<string> {
  const mentions = (entries ?? []).map(readRepository);
  return new Set(mentions.flatMap((mention) => (mention.kind === 'repository' && mention.plain ? [mention.name] : [])));
}

/** The repository that git would contact under this address. Unknown: another host, a local path, the name of a remote. */
export function readRemoteAddress(address: string): Mention {
  if (address.length > addressCharsMax) return unknownRepository;
  // `<transport>::<address>` hands the address to a helper of git's.
  const helper = /^[a-z][a-z0-9+.-]*::(.*)$/is.exec(address);
  if (helper) return withoutPlain(readRemoteAddress(helper[1] ?? ''));
  const url = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)(.*)$/is.exec(address);
  if (url) {
    const [, scheme = '', authority = '', path = ''] = url;
    const defaultPort = defaultPorts.get(scheme.toLowerCase());
    if (defaultPort === undefined || authority.includes('\\')) return unknownRepository;
    const [, host = '', port = ''] = /^(?:.*@)?([^@]*?)(?::(\d*))?$/s.exec(authority) ?? [];
    const plain = scheme === scheme.toLowerCase() && (port === '' || port === defaultPort);
    return repositoryOnHost(host, { path, plain });
  }
  const scp = /^([^/:[]+|\[[^/\]]+\]):(.*)$/s.exec(address);
  if (!scp) return unknownRepository;
  const [, login = '', path = ''] = scp;
  const host = login.slice(login.lastIndexOf('@') + 1);
  if (!login.startsWith('[')) return repositoryOnHost(host, { path, plain: true });
  return repositoryOnHost(host.replace(/^\[/, '').replace(/(?::\d*)?\]$/, ''), { path, plain: false });
}

/** `owner/repo` at the start of a path below a host of GitHub’s. */
export function repositoryOfPath(path: string, plain: boolean): Mention {
  const clean = cleanPath(path);
  const [owner = '', repo = ''] = clean.segments;
  const name = repo.toLowerCase().replace(/\.git$/, '');
  if (!nameOfPart.test(owner) || !nameOfPart.test(name)) return unknownRepository;
  return { kind: 'repository', name: `${owner.toLowerCase()}/${name}`, plain: plain && clean.plain };
}

/** A path's segments as a server would read them, without query. */
export function cleanPath(path: string): { readonly segments: readonly string[]; readonly plain: boolean } {
  const bare = path.replace(/[?#].*$/s, '').replace(/^\/+/, '').replace(/\/$/, '');
  if (!oddPath.test(bare)) return { segments: bare.split('/'), plain: true };
  const segments: string[] = [];
  for (const segment of percentDecoded(bare).split(/[/\\]/)) {
    if (segment === '..') segments.pop();
    else if (segment !== '.' && segment !== '') segments.push(segment);
  }
  return { segments, plain: false };
}

/** A host as name servers read it: in lower case, without a dot at the end, look-alike forms of letters and dots folded. */
export function foldHost(host: string): string {
  return foldName(percentDecoded(host)).replaceAll('。', '.').replace(/\.+$/, '');
}

/** Git’s and the web’s ways to write the address of a repository, without `.git`. */
export function addressesOf(name: string): readonly string[] {
  return ['https://github.com/', 'http://github.com/', 'git://github.com/', 'ssh://git@github.com/', 'git@github.com:'].map((base) => base + name);
}

const bareName = /^[\w.-]+\/[\w.-]+$/;

/** Not `.` and not `..`. */
const nameOfPart = /^(?!\.{1,2}$)[\w.-]+$/;

const oddPath = /%|\\|\/\/|(?:^|\/)\.{1,2}(?:\/|$)/;

const addressCharsMax = 4096;

const defaultPorts = new Map([
  ['https', '443'],
  ['http', '80'],
  ['git', '9418'],
  ['ssh', '22'],
  ['git+ssh', '22'],
  ['ssh+git', '22'],
  ['git+https', '443'],
]);

const gitHosts = new Set(['github.com', 'www.github.com', 'ssh.github.com']);

function isAddress(text: string): boolean {
  return text.includes('://') || /^[^/]*:/.test(text);
}

function repositoryOnHost(host: string, { path, plain }: { path: string; plain: boolean }): Mention {
  if (host === 'github.com') return repositoryOfPath(path, plain);
  return gitHosts.has(foldHost(host)) ? repositoryOfPath(path, false) : unknownRepository;
}

function withoutPlain(mention: Mention): Mention {
  return mention.kind === 'repository' ? { ...mention, plain: false } : mention;
}

function percentDecoded(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
