/** A path without `.`, `..` and repeated slashes, as POSIX normalises it lexically: two leading slashes stay, `''` is `.`. */
export function normalPath(path: string): string {
  const root = path.startsWith('//') && !path.startsWith('///') ? '//' : path.startsWith('/') ? '/' : '';
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (root === '') parts.push(part);
  }
  return root + parts.join('/') || '.';
}

/** The path from a directory; null where that is not known and the path is relative. */
export function joinPath(directory: string | null, path: string): string | null {
  if (path.startsWith('/') || path.startsWith('~')) return normalPath(path);
  return directory === null || directory.length > pathCharsMax ? null : directory === '' ? normalPath(path) : normalPath(`${directory}/${path}`);
}

/** Longer than any path that a system takes. */
const pathCharsMax = 4096;
