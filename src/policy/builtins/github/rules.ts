import type { GithubParams } from './params.ts';
import { readAllowlist } from './repository.ts';

/** What the params allow, prepared for judging. */
export interface Rules {
  readonly readAll: boolean;
  readonly readable: ReadonlySet<string>;
  readonly writable: ReadonlySet<string>;
  /** Null: every branch. */
  readonly branches: ReadonlySet<string> | null;
  readonly allowDestructive: boolean;
  readonly denyTags: boolean;
  readonly denyForce: boolean;
}

export function readRules(params: GithubParams): Rules {
  const branches = params.write_branches ?? [];
  return {
    readAll: params.read_all,
    readable: readAllowlist(params.read_repos),
    writable: readAllowlist(params.write_repos),
    branches: branches.length === 0 ? null : new Set(branches.map(branchName)),
    allowDestructive: params.allow_destructive,
    denyTags: params.deny_tag_push,
    denyForce: params.deny_force_push,
  };
}

/** A branch as lists and commands name it, without the path of its ref. */
export function branchName(ref: string): string {
  return ref.trim().replace(/^refs\/heads\/|^heads\//, '');
}
