import { normalText } from '../../normal-text.ts';

/**
 * Where a path leads that a tool resolves from the working directory: `inside` it, `outside`, or to a file inside that others run
 * unasked (`runs`: git's hooks and settings, a coding agent's own hooks). Paths are read as lenient tools would read them, too:
 * Unicode's look-alikes of slash and dot, percent-encoding, blanks and quotes around. Symbolic links cannot be seen from here.
 */
export function pathReach(path: string): PathReach {
  const ways = readings(path);
  if (ways.some(leadsOutside)) return 'outside';
  return ways.some(runsUnasked) ? 'runs' : 'inside';
}

export type PathReach = 'inside' | 'outside' | 'runs';

function readings(path: string): readonly string[] {
  const plain = normalText(path, 'NFKC').replace(slashes, '/').replace(backslashes, '\\').trim().replace(/^(["'`])(.*)\1$/s, '$2');
  const once = percentDecoded(plain);
  return [...new Set([path, plain, once, percentDecoded(once)])];
}

/** Division and fraction slashes, big solidus, box drawing; what NFKC does not make a slash. */
const slashes = /[\u2044\u2215\u2571\u29f8\u27cb]/g;

const backslashes = /[\u2216\u29f5\u29f9\u2572]/g;

function percentDecoded(path: string): string {
  return path.replace(/(?:%[0-9a-f]{2})+/gi, (encoded) => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      return encoded;
    }
  });
}

function leadsOutside(path: string): boolean {
  if (path.includes('\\') || path.includes('\0') || address.test(path)) return true;
  if (path.startsWith('/') || path.startsWith('~')) return true;
  const parts = partsOf(path);
  const [first = ''] = parts ?? [];
  return parts === null || first.startsWith('~') || /^[a-z]:/i.test(first) || variable.test(first);
}

/** A URL is no relative path; one of a file is an absolute one. */
const address = /^(?:[a-z][a-z\d+.-]*:\/\/|(?:file|vscode-[a-z-]*|vscode):)/i;

/** A tool that expands variables would go wherever the variable leads. A file may be named `$id.tsx`. */
const variable = /^(?:\$[A-Z_][A-Z0-9_]*|\$\{[^}]*\}|%[A-Za-z_][A-Za-z0-9_()]*%|\$env:.*)$/;

/** Without `.` and `..`; null when `..` leads above the start. */
function partsOf(path: string): readonly string[] | null {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    // Windows ignores blanks at the end of a name.
    const name = part.trimEnd();
    if (name === '' || name === '.') continue;
    if (name !== '..') parts.push(part);
    else if (parts.pop() === undefined) return null;
  }
  return parts;
}

function runsUnasked(path: string): boolean {
  // As file systems that ignore letter case, and Windows with its short names and streams, would find the file.
  const parts = (partsOf(path) ?? []).map((part) => part.toLowerCase().replace(/:.*$/, '').replace(/[. ]+$/, ''));
  if (parts.some((part) => part === '.git' || part === 'git~1' || part === '.husky')) return true;
  return agentSettings.test(parts.join('/'));
}

/** Who writes these takes the gate's hook away, or adds one. */
const agentSettings = /(?:^|\/)\.(?:claude\/(?:settings(?:\.local)?\.json|hooks\/.*)|codex\/(?:config\.toml|hooks\.json)|cursor\/(?:hooks\.json|hooks\/.*)|gemini\/settings\.json)$/;
