import { isDeepStrictEqual } from 'node:util';
import type { Elicitation } from '../entities/elicitation.entity.ts';
import type { Evaluation } from '../entities/evaluation.entity.ts';
import type { Writes } from '../policy/write-ledger.ts';
import type { PolicyEvent, ToolCallData } from '../policy/event.ts';
import { isJsonObject, type JsonObject } from '../policy/json.ts';
import { denialOf } from './denial.ts';
import { callerOf } from './gather-facts.ts';
import type { Gate } from './gate.ts';
import { judgeNow } from './judge-now.ts';
import { maskedDecision } from './masked-decision.ts';
import { rewritten, type Rewritten } from './rewritten.ts';
import type { EditRefused } from './outcome.ts';
import type { JudgedUnder } from './policy-epoch.ts';
import { awaiting } from './settle.ts';
import { unmasked } from './unmasked.ts';
import { visibleName } from './visible-text.ts';

/** An edit that every policy has judged and none denies. */
export interface JudgedEdit {
  readonly kind: 'judged';
  /** Under anything else it must be judged again. */
  readonly under: JudgedUnder;
  /** Masked. */
  readonly writes: Writes;
  readonly evaluation: Evaluation;
  /** What the agent must run instead. */
  readonly rewritten: Rewritten;
}

/** Judges the call as the approver would have it. It counts when it is allowed, or when it asks no policy's question but those that were answered. */
export async function judgeEdit(gate: Gate, elicitation: Elicitation, editedArguments: JsonObject): Promise<JudgedEdit | EditRefused> {
  const [evaluation, ...others] = await awaiting(elicitation, gate.em);
  if (!evaluation || others.length > 0) return refused('Several calls wait for this one decision: it can be accepted or declined, not edited.', null);
  if (!isAskedFirst(evaluation, elicitation)) {
    return refused('The call that was to be edited waits no more, and another one waits for this decision: it can be accepted or declined, not edited.', null);
  }
  if (elicitation.event.type !== 'tool_call') return refused('Only the arguments of a tool call can be edited.', null);
  const meant = meantBy(gate, { evaluation, call: elicitation.event.data, editedArguments });
  if (meant.kind === 'editRefused') return meant;
  const { event } = meant;
  const judged = await judgeNow(gate, { sessionId: elicitation.session, event, caller: callerOf(evaluation) });
  if (judged.kind === 'noSession') throw new Error(`The session of ${elicitation.id} is gone.`);
  if (judged.kind === 'stopped') return refused('The call or the server ended before the model had judged the edit. Nothing is decided: try again.', null);
  const { under, names } = judged;
  const { decision } = maskedDecision(gate, judged.decision, gate.masking.event(event).secrets);
  if (decision.verdict === 'DENY') return refused(`The policy "${visibleName(decision.policy)}" denies the edited call: ${denialOf(gate, evaluation, decision).reason}`, decision.policy);
  const unanswered = decision.verdict === 'ASK' ? decision.policies.find((name) => !wasAnswered(name, { elicitation, names })) : undefined;
  if (unanswered !== undefined) return refused(`The edited call raises a question that was not asked: the policy "${visibleName(unanswered)}" wants an approval of its own.`, unanswered);
  const data = judged.decision.verdict === 'DENY' ? null : judged.decision.data;
  return { kind: 'judged', evaluation, under, writes: decision.writes, rewritten: rewritten(gate, evaluation, data ?? { ...event.data }) };
}

/** Several calls may come to wait for one elicitation, which shows the first. */
function isAskedFirst(evaluation: Evaluation, elicitation: Elicitation): boolean {
  return evaluation.digest === null ? isDeepStrictEqual(evaluation.event, elicitation.event) : evaluation.digest === elicitation.digest;
}

interface Edit {
  readonly evaluation: Evaluation;
  /** As the approver saw it. */
  readonly call: ToolCallData;
  readonly editedArguments: JsonObject;
}

type ToolCallEvent = Extract<PolicyEvent, { type: 'tool_call' }>;

/** The edited call with its secrets: the marks of what was left masked mean what the agent's call has there. */
function meantBy(gate: Gate, { evaluation, call, editedArguments }: Edit): { kind: 'meant'; event: ToolCallEvent } | EditRefused {
  const original = evaluation.digest === null ? evaluation.event : gate.originals.find(evaluation.id)?.event;
  const real = original?.type === 'tool_call' ? original.data : null;
  const { name } = real ?? call;
  const meant = evaluation.digest === null ? { kind: 'unmasked' as const, value: editedArguments } : unmasked(editedArguments, { masked: call.arguments, original: real?.arguments });
  if (meant.kind === 'unmasked' && isJsonObject(meant.value) && (real || !isMaskedName(evaluation))) {
    return { kind: 'meant', event: { type: 'tool_call', target: name, data: { name, arguments: meant.value } } };
  }
  const { path, why } = meant.kind === 'unknown' ? meant : { path: [], why: 'cannot be understood: the server has the name of the tool only masked' };
  const message = `The edit ${why}.`;
  return { kind: 'editRefused', message, issues: [{ path: ['editedArguments', ...path], message: why }], policy: null };
}

/** Policies are known by their names only, and names are unique on one target only: where several share one, all of them must have asked. */
function wasAnswered(name: string, { elicitation, names }: { elicitation: Elicitation; names: readonly string[] }): boolean {
  const countIn = (list: readonly string[]) => list.filter((other) => other === name).length;
  return countIn(elicitation.policyNames) === Math.max(1, countIn(names));
}

function refused(message: string, policy: string | null): EditRefused {
  return { kind: 'editRefused', message, issues: [{ path: ['editedArguments'], message }], policy };
}

function isMaskedName({ maskedPaths }: Evaluation): boolean {
  return maskedPaths?.some((path) => path === '/event/target' || path === '/event/data/name') ?? false;
}
