import { normalPath } from '../../shell/path.ts';
import type { Word } from '../../shell/command-line.ts';

/** Directories where a change may lead, with everything below. */
export interface AllowedDirs {
  /** Whether this path, as it is written, is one of them or lies in one. A path that is not known lies nowhere. */
  includes(target: Word): boolean;
}

export function readAllowedDirs(dirs: readonly string[]): AllowedDirs {
  const roots = dirs.filter((dir) => dir.trim() !== '').map(normalPath);
  return {
    includes({ text, certain }) {
      if (!certain || text === '') return false;
      const path = normalPath(text);
      return roots.some((root) => path === root || path.startsWith(root.endsWith('/') ? root : `${root}/`) || (root === '.' && isInside(path)));
    },
  };
}

/** A relative path that does not lead out of where it starts. */
export function isInside(path: string): boolean {
  const normal = normalPath(path);
  return !/^[/~]/.test(normal) && normal !== '..' && !normal.startsWith('../');
}
