import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readPage, root } from './fences.ts';
import { pages } from './pages.ts';

const withoutCode = (page: string) => readPage(page).replace(/^ *```.*?^ *```$/gms, '').replace(/`[^`\n]*`/g, (code) => code.replace(/[[\]()]/g, ' '));

describe('the links of the documentation', () => {
  it.each(pages)('lead from %s to a file and a heading that are there', (page) => {
    const broken = linksIn(page).filter((link) => !isThere(page, link));
    expect(broken).toEqual([]);
  });

  it('are found at all', () => {
    expect(linksIn('README.md')).toEqual(expect.arrayContaining(['docs/agents.md', 'docs/journey.svg', 'LICENSE']));
    expect(isThere('README.md', 'docs/agents.md#no-such-heading')).toBe(false);
    expect(isThere('README.md', 'docs/nothing.md')).toBe(false);
  });
});

/** Relative ones, pictures included. */
function linksIn(page: string): string[] {
  return [...withoutCode(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target).filter((target) => !/^\w+:/.test(target));
}

function isThere(page: string, link: string): boolean {
  const [file = '', anchor] = link.split('#');
  const target = file === '' ? page : path.join(path.dirname(page), file);
  if (!existsSync(path.join(root, target))) return false;
  return anchor === undefined || anchorsIn(target).includes(anchor);
}

/** As GitHub makes them: lower case, blanks to hyphens, other signs dropped. */
function anchorsIn(page: string): string[] {
  return [...readPage(page).replace(/^ *```.*?^ *```$/gms, '').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-'),
  );
}
