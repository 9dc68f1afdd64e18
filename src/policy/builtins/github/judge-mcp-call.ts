import type { JsonObject } from '../../json.ts';
import { denial, doubt, strictest, type Finding } from './finding.ts';
import { effectGate, readGate, writeGate } from './gates.ts';
import { readMcpArguments, type McpArguments } from './mcp-arguments.ts';
import { ambiguousTools, contentTools, isApiProxy } from './mcp-tool-classes.ts';
import type { McpTool } from './mcp-tool.ts';
import { readRestRequest, type RestEffects } from './rest-request.ts';
import type { Rules } from './rules.ts';

/** Judges a call of one of a GitHub server’s tools. Arguments are plain values, so what they do not say is denied, not asked. */
export function judgeMcpCall(tool: McpTool, args: JsonObject, rules: Rules): Finding | null {
  if (tool.class === 'free') return null;
  if (tool.class === 'unknown') return denial(`${tool.name || 'A tool without a name'} is no tool of GitHub’s that is known.`);
  const named = readMcpArguments(args);
  if (tool.bare && ambiguousTools.has(tool.name) && !named.namesOwner && named.mentions.length === 0) return null;
  if (Math.max(named.paths.length, named.methods.length) > requestsMax) return denial(`${tool.name} names more requests than one call makes.`);
  const requests = isApiProxy(tool.name) ? requestsOf(named) : [];
  const mentions = [...named.mentions, ...requests.flatMap(({ mention, isTemplate }) => (isTemplate && named.mentions.length > 0 ? [] : [mention]))];
  if (tool.class === 'read' && !requests.some((request) => request.writes) && !named.documents.some(isMutation)) {
    return withoutDoubt(readGate(rules, { what: tool.name, mentions }));
  }
  return judgeWrite({ tool, named, requests, mentions }, rules);
}

interface WritingCall {
  readonly tool: McpTool;
  readonly named: McpArguments;
  readonly requests: readonly RestEffects[];
  readonly mentions: McpArguments['mentions'];
}

function judgeWrite({ tool, named, requests, mentions }: WritingCall, rules: Rules): Finding | null {
  const what = tool.name;
  const names = [...named.branches.names, ...requests.flatMap((request) => request.branches.names)];
  const branches = { names, unknown: named.branches.unknown };
  const content = contentTools.has(what) || requests.some((request) => request.content);
  const found = strictest([
    withoutDoubt(writeGate(rules, { what, mentions, branches, content })),
    effectGate(rules, {
      what,
      deletes: what.startsWith('delete_') || (requests.length === 0 ? named.methods.some(isDeletion) : requests.some((request) => request.deletes)),
      tags: tagging.has(what) || (named.tags && what !== 'run_workflow') || requests.some((request) => request.tags),
      forces: named.forces && /ref|push|api_call/.test(what),
    }),
  ]);
  // A merge lands on the base branch of the pull request, which the arguments do not name.
  const lands = what === 'merge_pull_request' && rules.branches !== null && names.length === 0;
  return found ?? (lands ? doubt('A merge writes the base branch of the pull request, which the call does not name.') : null);
}

/** A proxy’s paths with each of its methods. A “read” proxy with a writing method writes. */
function requestsOf({ methods, paths }: McpArguments): readonly RestEffects[] {
  const targets = paths.length > 0 ? paths : methods.length > 0 ? [''] : [];
  const verbs = methods.length > 0 ? methods : ['get'];
  return targets.flatMap((target) =>
    verbs.map((verb) => readRestRequest({ target, method: verb.toUpperCase(), fields: new Map(), isComplete: true })),
  );
}

function isDeletion(method: string): boolean {
  return method.startsWith('delete') && method !== 'delete_pending';
}

const requestsMax = 16;

/** A comment may say so too; being denied once too often is what a document costs that hides its purpose. */
function isMutation(document: string): boolean {
  return /\bmutation\b/.test(document);
}

function withoutDoubt(finding: Finding | null): Finding | null {
  return finding?.verdict === 'ASK' ? denial(finding.reason) : finding;
}

/** Tools that create a tag, whatever their arguments are. */
const tagging = new Set(['create_release', 'create_tag', 'push_tag']);
