import type { Word } from '../../shell/command-line.ts';
import type { Branches } from './gates.ts';
import { cleanPath, foldHost, repositoryOfPath, unknownRepository, type Mention } from './repository.ts';
import { branchName } from './rules.ts';

/** A request to GitHub’s REST or GraphQL interface. */
export interface RestRequest {
  /** A path (`repos/octo/app/issues`), or a URL of one of the interface’s hosts. */
  readonly target: string;
  /** In upper case; null: it cannot be known, and may write. */
  readonly method: string | null;
  /** The members of the body, as far as they are known. */
  readonly fields: ReadonlyMap<string, string>;
  /** Whether `fields` are all. */
  readonly isComplete: boolean;
}

/** What a request would do. */
export interface RestEffects {
  readonly writes: boolean;
  /** The method is not known: it may write, or delete, or do neither. */
  readonly isSupposed: boolean;
  readonly mention: Mention;
  /** The path leaves the repository open: `repos/{owner}/{repo}/issues`. Something else must name it. */
  readonly isTemplate: boolean;
  readonly branches: Branches;
  readonly content: boolean;
  readonly deletes: boolean;
  readonly tags: boolean;
  readonly forces: boolean;
}

export function readRestRequest({ target, method, fields, isComplete }: RestRequest): RestEffects {
  const { segments, mention } = readTarget(target);
  const [area = '', name = '', ...rest] = segments;
  const field = (key: string): string => fields.get(key) ?? '';
  const refs = [field('branch'), field('ref'), field('base'), refOfPath(segments)].filter((ref) => ref !== '');
  const putsContent = contentPath.test(segments.join('/'));
  const mayNameTag = area === 'git' && name === 'refs' && rest.length === 0 && field('ref') === '' && !isComplete;
  return {
    writes: method === null || !readingMethods.has(method),
    isSupposed: method === null,
    mention,
    isTemplate: /^\/?repos\/(?:\{[^/]*\}|:[^/]*)\/(?:\{[^/]*\}|:[^/]*)(?:\/|$)/.test(target),
    branches: { names: refs.filter((ref) => !isTag(ref)).map(branchName), unknown: putsContent && refs.length === 0 },
    content: putsContent,
    deletes: method === 'DELETE' && !slightDeletion.test(segments.join('/')),
    tags: refs.some(isTag) || mayNameTag || (area === 'releases' && name === '') || (area === 'git' && name === 'tags'),
    forces: area === 'git' && name === 'refs' && !['', 'false'].includes(field('force')),
  };
}

/**
 * As much of a target as decides where it goes, when its end is not known: the repository, spelled so that it allows
 * nothing. Empty where the repository itself is not known.
 */
export function knownTarget({ certain, text, known }: Word): string {
  if (certain) return text;
  const decided = /^(.*?\brepos\/[^/]+\/[^/]+)\//i.exec(known[0] ?? '');
  return decided ? `${decided[1] ?? ''}/./` : '';
}

/** Whether a host serves the REST and GraphQL interfaces; `plain`: spelled as GitHub spells it. */
export function isApiHost(host: string): { readonly is: boolean; readonly plain: boolean } {
  return { is: apiHosts.has(foldHost(host)), plain: apiHosts.has(host) };
}

const readingMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

const apiHosts = new Set(['api.github.com', 'uploads.github.com']);

/** The repository, and the path’s segments below it. */
function readTarget(target: string): { mention: Mention; segments: readonly string[] } {
  const url = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#]*@)?([^/?#:@]*)(?::\d*)?(.*)$/is.exec(target);
  const host = url ? isApiHost(url[1] ?? '') : { is: true, plain: true };
  const path = cleanPath(url ? (url[2] ?? '') : target);
  const start = path.segments[0] === 'api' && path.segments[1] === 'v3' ? 2 : 0;
  if (!host.is || path.segments[start]?.toLowerCase() !== 'repos') return { mention: unknownRepository, segments: [] };
  const segments = path.segments.slice(start + 1);
  return { mention: repositoryOfPath(segments.slice(0, 2).join('/'), host.plain && path.plain), segments: segments.slice(2) };
}

/** The ref that a path names: `git/refs/heads/x`, `branches/x/protection`. */
function refOfPath([area, ...rest]: readonly string[]): string {
  if (area === 'branches') return rest[0] ?? '';
  return area === 'git' && rest[0] === 'refs' && rest.length > 1 ? `refs/${rest.slice(1).join('/')}` : '';
}

function isTag(ref: string): boolean {
  return /^(?:refs\/)?tags\//.test(ref);
}

/** Requests that put content on a branch. */
const contentPath = /^(?:contents\/|git\/refs|merges$|merge-upstream$|pulls\/[^/]+\/(?:merge|update-branch)$)/;

/** Taking a label, an assignee or a reaction away deletes nothing that is missed. */
const slightDeletion = /(?:^|\/)(?:labels|assignees|lock|reactions|requested_reviewers|sub_issue|subscription)(?:\/[^/]*)?$/;
