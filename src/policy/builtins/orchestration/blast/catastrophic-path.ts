import type { Word } from '../../../shell/command-line.ts';
import { joinPath } from '../../../shell/path.ts';
import { matchesPattern, readPattern } from '../../../shell/pattern.ts';

/** How bad it is to lose this path with all that is in it. `whole`: a system directory, all of the home directories or of the disk. `part`: something below. */
export type Loss = 'whole' | 'part' | null;

/** What a target means to the system, as it is written. `directory` is where the command runs. */
export function lossOf({ text, certain, known }: Word, directory: string | null): Loss {
  // What find finds is everything below where it starts.
  const bare = text.replaceAll('{}', '*').replace(/(?<=.)(\/\.?)+$/, '') || text;
  if (isHome(bare) || windowsRoot.test(bare)) return 'whole';
  // What stands behind an expansion is not known, so only what stands before it counts.
  const [start = ''] = known;
  const isGlob = !certain && !/[$`]|xargs|parallel/.test(text);
  const path = certain || isGlob ? joinPath(directory, bare) : start.endsWith('/') && start.startsWith('/') ? joinPath(directory, `${start}x`) : null;
  if (path === null || !path.startsWith('/')) return path !== null && directory?.startsWith('~') && isHome(path) ? 'whole' : null;
  return lossOfPath(path.replace(/^\/+/, '/'));
}

function lossOfPath(path: string): Loss {
  if (path === '/') return 'whole';
  const [first = '', ...rest] = path.slice(1).split('/');
  if (/[*?[]/.test(first) && rest.length === 0 && !isNarrow(first)) return 'whole';
  const pattern = readPattern(first);
  const roots = systemRoots.filter((root) => matchesPattern(root, pattern));
  if (roots.length === 0) return rest.length === 0 && elsewhere.includes(first) ? 'whole' : null;
  const below = rest.filter((part) => part !== '');
  if (below.length === 0 || (below.length === 1 && isEverything(below[0] ?? ''))) return 'whole';
  return roots.some((root) => !recoverable.has(root)) ? 'part' : null;
}

/** A drive of Windows, its system, or all of its users. */
const windowsRoot = /^(?:[a-z]:[\\/]*(?:windows|users|program files[^\\/]*)?[\\/]*(?:\*(?:\.\*)?)?|\$env:(?:userprofile|systemroot|systemdrive|homedrive)[\\/*]*)$/i;

const systemRoots = ['etc', 'usr', 'bin', 'sbin', 'lib', 'lib64', 'var', 'boot', 'root', 'home', 'opt', 'dev', 'proc', 'sys'];

/** Below these lies what belongs to one user or one program. */
const recoverable = new Set(['root', 'home', 'opt']);

/** The same on other systems. */
const elsewhere = ['Users', 'System', 'Library', 'Applications', 'private', 'Volumes', 'nix'];

function isHome(text: string): boolean {
  return /^(~[\w.-]*|\$HOME|\$\{HOME\})(\/+[.\]!^[]*\*)?$/.test(text);
}

function isEverything(part: string): boolean {
  return /^[*?.[\]!{},^]+$/.test(part) && part.includes('*');
}

/** A glob with enough letters around it to mean something of one's own: `/tmp-build*`. */
function isNarrow(glob: string): boolean {
  const pattern = readPattern(glob);
  return glob.replace(/[*?[\]]/g, '').length > 0 && !glob.startsWith('*') && ![...systemRoots, ...elsewhere].some((root) => matchesPattern(root, pattern));
}
