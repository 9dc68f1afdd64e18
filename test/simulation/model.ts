import { localUser, type Principal } from '../../src/entities/principal.ts';
import type { StateUpdate } from '../../src/policy/verdict.ts';
import { sayingOfRules, type Command, type State, type Tool } from './rules.ts';

/**
 * What must be so after each step, in a page of plain data: no database, no promises, no clock but its own. Times are seconds since
 * the start; the clock moves by thousands and every limit ends in 500, so that no pause of the machine decides a comparison.
 */
export interface Model {
  time: number;
  readonly sessions: ModelSession[];
  readonly guards: ModelGuard[];
  readonly evaluations: ModelEvaluation[];
  readonly elicitations: ModelElicitation[];
  readonly callers: ModelCaller[];
  /** Sessions in which an accept has written: what waits there is yet to be judged again. */
  readonly written: number[];
  /** What the acts of the last step answered, by the number of the act. */
  readonly outcomes: Record<number, string>;
}

export interface ModelSession {
  readonly agent: number;
  readonly parent: number | null;
  ended: boolean;
  state: State;
  labels: Readonly<Record<string, string>>;
  readonly evaluators: string[];
}

export interface ModelGuard {
  readonly slot: number;
  tool: Tool;
  does: 'ask' | 'deny';
}

/** A call is known by its tag, which its event carries. */
export interface Action {
  readonly tag: string;
  readonly session: number;
  readonly tool: Tool;
  readonly command: Command;
}

export interface ModelEvaluation extends Action {
  readonly key: string | null;
  status: 'AWAITING_APPROVAL' | 'DECIDED' | 'ABANDONED';
  verdict: 'ALLOW' | 'DENY' | 'ASK';
  decidedBy: 'POLICY' | 'PERSON' | 'EXPIRY' | 'CANCELLATION' | 'FAILURE' | null;
  data: object | null;
  /** The tag of the elicitation. */
  readonly elicitation: string | null;
  readonly withheld: Writes;
  ticket: boolean;
  abandonAt: number | null;
}

export interface ModelElicitation {
  /** That of the evaluation that raised it. */
  readonly tag: string;
  readonly session: number;
  readonly tool: Tool;
  readonly policies: readonly string[];
  readonly checkpoint: string | null;
  readonly expiresAt: number;
  status: 'PENDING' | 'ACCEPTED' | 'DECLINED' | 'CANCELLED' | 'EXPIRED';
  by: string | null;
  edit: Command | null;
}

export interface ModelCaller {
  readonly number: number;
  /** `holding`, `left`, or the text of the answer. */
  state: string;
  /** The evaluation that it holds. */
  readonly tag: string | null;
}

export interface Writes {
  readonly state: readonly StateUpdate[];
  readonly labels: Readonly<Record<string, string>>;
}

const noWrites: Writes = { state: [], labels: {} };

export const graceSeconds = 1500;

/** Of the two agents, and of a guard that asks. */
export const agentTimeouts = [5500, 3500] as const;
export const guardTimeout = 2500;

/** Where the guards can be attached, in evaluation order of their levels. */
export const guardTargets = [{ session: 1 }, { session: 0 }, { agent: 1 }, { server: true }] as const;

const person = (id: string): Principal => ({ kind: 'USER', id, name: id });
const agentKey = (id: string): Principal => ({ kind: 'AGENT_KEY', id, name: id });

export const principals: readonly Principal[] = [person('ann'), person('bob'), localUser, agentKey('key one'), agentKey('key two')];

/** At the start: a session with a sub-agent, and one beside them. */
export function newModel(): Model {
  const sessions = [newSession(0, null), newSession(1, 0), newSession(1, null)];
  return { time: 0, sessions, guards: [], evaluations: [], elicitations: [], callers: [], written: [], outcomes: {} };
}

export function newSession(agent: number, parent: number | null): ModelSession {
  return { agent, parent, ended: false, state: {}, labels: {}, evaluators: [] };
}

/** From the session itself to the root. */
export function lineage(model: Model, session: number): number[] {
  const parent = model.sessions[session]?.parent ?? null;
  return parent === null ? [session] : [session, ...lineage(model, parent)];
}

export type Judged =
  | { readonly verdict: 'ALLOW'; readonly by: 'POLICY'; readonly writes: Writes }
  | { readonly verdict: 'DENY'; readonly by: 'POLICY' | 'FAILURE'; readonly writes: Writes }
  | { readonly verdict: 'ASK'; readonly writes: Writes; readonly policies: readonly string[]; readonly timeout: number; readonly checkpoint: string | null };

interface Asker {
  readonly name: string;
  readonly timeout: number;
  readonly checkpoint: string | null;
}

/** All policies of the session, in order: its own guards, those above it, its agent's, the server's rules, the server's guard. */
export function judge(model: Model, { session, tool, command }: Action): Judged {
  const { state, agent } = at(model.sessions, session);
  const agentTimeout = at(agentTimeouts, agent);
  const chain = lineage(model, session);
  const sayings = guardTargets.flatMap((target, slot) => {
    const guard = model.guards.find((each) => each.slot === slot);
    const applies = 'server' in target || ('agent' in target ? target.agent === agent : chain.includes(target.session));
    if (!guard || !applies || guard.tool !== tool) return [];
    return [{ name: guardName(slot), timeout: guardTimeout, saying: { kind: guard.does, writes: [], labels: {}, checkpoint: null } }];
  });
  const rules = { name: 'rules', timeout: agentTimeout, saying: sayingOfRules(tool, command, state) };
  const last = sayings.filter(({ name }) => name === guardName(guardTargets.length - 1));
  const inOrder = [...sayings.filter((each) => !last.includes(each)), rules, ...last];

  const allowed: Writes[] = [];
  const all: Writes[] = [];
  const askers: Asker[] = [];
  for (const { name, timeout, saying } of inOrder) {
    if (saying.kind === 'throw') return { verdict: 'DENY', by: 'FAILURE', writes: noWrites };
    if (saying.kind === 'abstain') continue;
    const writes = { state: saying.writes, labels: saying.labels };
    if (after(state, writes) === null) return { verdict: 'DENY', by: 'FAILURE', writes: noWrites };
    if (saying.kind === 'deny') return { verdict: 'DENY', by: 'POLICY', writes: merged([...allowed, writes]) };
    all.push(writes);
    if (saying.kind === 'allow') allowed.push(writes);
    else askers.push({ name, timeout, checkpoint: saying.checkpoint });
  }
  const [first, ...others] = askers;
  if (!first) return { verdict: 'ALLOW', by: 'POLICY', writes: merged(all) };
  return {
    verdict: 'ASK',
    writes: merged(all),
    policies: askers.map(({ name }) => name),
    timeout: Math.min(...askers.map(({ timeout }) => timeout)),
    checkpoint: others.length === 0 ? first.checkpoint : null,
  };
}

export function guardName(slot: number): string {
  return `guard ${slot}`;
}

function merged(writes: readonly Writes[]): Writes {
  return { state: writes.flatMap(({ state }) => state), labels: Object.assign({}, ...writes.map(({ labels }) => labels)) as Writes['labels'] };
}

/** The state after the writes; null where one does not fit what is there. */
export function after(state: State, { state: updates }: Writes): State | null {
  let next = state;
  for (const update of updates) {
    const before = next[update.key];
    switch (update.action) {
      case 'set':
        next = { ...next, [update.key]: update.value };
        break;
      case 'increment':
        next = { ...next, [update.key]: Number(before ?? 0) + update.value };
        break;
      case 'append':
        if (before !== undefined && !Array.isArray(before)) return null;
        next = { ...next, [update.key]: [...((before as readonly string[] | undefined) ?? []), update.value] };
        break;
      case 'delete':
        throw new Error('Nothing in the simulation deletes.');
      default:
        update satisfies never;
    }
  }
  return next;
}

/** The item, which must be there. */
export function at<T>(list: readonly T[], index: number): T {
  const item = list[index];
  if (item === undefined) throw new RangeError(`There is no item ${index}.`);
  return item;
}
