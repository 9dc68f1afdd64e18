import type { Elicitation } from '../entities/elicitation.entity.ts';
import type { Evaluation } from '../entities/evaluation.entity.ts';
import type { Writes } from '../policy/evaluate.ts';
import type { PolicyEvent } from '../policy/event.ts';
import type { JsonObject } from '../policy/json.ts';
import { denialOf } from './denial.ts';
import { digestOf } from './digest.ts';
import { callerOf } from './gather-facts.ts';
import type { Gate } from './gate.ts';
import { judgeNow } from './judge-now.ts';
import type { EditRefused } from './outcome.ts';
import { awaiting } from './settle.ts';

/** An edit that every policy has judged and none denies. */
export interface JudgedEdit {
  readonly kind: 'judged';
  /** The session that it was judged on; on any other it must be judged again. */
  readonly sessionVersion: string;
  readonly writes: Writes;
  /** What the agent must run instead. */
  readonly data: Evaluation['data'];
}

/** Judges the call as the approver would have it. It counts when it is allowed, or when it asks no policy's question but those that were answered. */
export async function judgeEdit(gate: Gate, elicitation: Elicitation, editedArguments: JsonObject): Promise<JudgedEdit | EditRefused> {
  const [evaluation, ...others] = await awaiting(elicitation, gate.em);
  if (!evaluation || others.length > 0) return refused('Several calls wait for this one decision: it can be accepted or declined, not edited.', null);
  if (digestOf(evaluation.session, evaluation.event) !== elicitation.digest) {
    return refused('The call that was to be edited waits no more, and another one waits for this decision: it can be accepted or declined, not edited.', null);
  }
  if (elicitation.event.type !== 'tool_call') return refused('Only the arguments of a tool call can be edited.', null);
  const data = { name: elicitation.event.data.name, arguments: editedArguments };
  const event: PolicyEvent = { ...elicitation.event, data };
  const judged = await judgeNow(gate, { sessionId: elicitation.session, event, caller: callerOf(evaluation) });
  if (judged.kind === 'noSession') throw new Error(`The session of ${elicitation.id} is gone.`);
  if (judged.kind === 'stopped') return refused('The call or the server ended before the model had judged the edit. Nothing is decided: try again.', null);
  const { decision, sessionVersion, names } = judged;
  if (decision.verdict === 'DENY') return refused(`The policy "${decision.policy}" denies the edited call: ${denialOf(gate, evaluation, decision).reason}`, decision.policy);
  const unanswered = decision.verdict === 'ASK' ? decision.policies.find((name) => !wasAnswered(name, { elicitation, names })) : undefined;
  if (unanswered !== undefined) return refused(`The edited call raises a question that was not asked: the policy "${unanswered}" wants an approval of its own.`, unanswered);
  return { kind: 'judged', sessionVersion, writes: decision.writes, data: decision.data ?? data };
}

/** Policies are known by their names only, and names are unique on one target only: where several share one, all of them must have asked. */
function wasAnswered(name: string, { elicitation, names }: { elicitation: Elicitation; names: readonly string[] }): boolean {
  const countIn = (list: readonly string[]) => list.filter((other) => other === name).length;
  return countIn(elicitation.policyNames) === Math.max(1, countIn(names));
}

function refused(message: string, policy: string | null): EditRefused {
  return { kind: 'editRefused', message, issues: [{ path: ['editedArguments'], message }], policy };
}
