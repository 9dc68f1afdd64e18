import { evaluate, type Json, type JsonObject, type PolicyEvent } from '../../../../src/policy/index.ts';
import { githubPolicy } from '../../../../src/policy/builtins/github/github-policy.ts';
import { passOf, policy, toolCall } from '../../support/pass.ts';

/** octo/app may be written; nothing else is set. */
export const writeApp: JsonObject = { write_repos: ['octo/app'] };

/** octo/app may be written, on main and dev only. */
export const writeBranches: JsonObject = { write_repos: ['octo/app'], write_branches: ['main', 'dev'] };

/** octo/app and octo/docs may be read, and nothing else. */
export const readSome: JsonObject = { read_all: false, read_repos: ['octo/app', 'octo/docs'], write_repos: ['octo/app'] };

export interface Judged {
  readonly verdict: 'abstain' | 'ask' | 'deny' | 'failed';
  readonly reason: string | null;
}

export function judge(event: PolicyEvent, params: JsonObject = writeApp): Judged {
  const built = githubPolicy.build(params);
  if (built.kind !== 'built') throw new Error(JSON.stringify(built.issues));
  const { steps } = evaluate(passOf([policy('github', null, { judge: built.judge })], { event }));
  const [step] = steps;
  return { verdict: verdictOfOutcome[step?.outcome ?? 'FAILED'], reason: step?.reason ?? null };
}

export function verdictOf(command: Json, params: JsonObject = writeApp): string {
  return callVerdict('Bash', { command }, params);
}

export function callVerdict(tool: string, args: JsonObject = {}, params: JsonObject = writeApp): string {
  return judge(toolCall(tool, args), params).verdict;
}

const verdictOfOutcome = { SKIPPED: 'failed', ABSTAINED: 'abstain', ALLOWED: 'failed', ASKED: 'ask', DENIED: 'deny', FAILED: 'failed' } as const;
