import { statusOf, type ElicitationAction } from '../../src/entities/elicitation.entity.ts';
import type { Principal } from '../../src/entities/principal.ts';
import type { Session } from '../../src/entities/session.entity.ts';
import { createAgent } from '../../src/gate/create-agent.ts';
import { createPolicy } from '../../src/gate/create-policy.ts';
import { createSession } from '../../src/gate/create-session.ts';
import { deletePolicy } from '../../src/gate/delete-policy.ts';
import { endSession } from '../../src/gate/end-session.ts';
import { evaluatePolicy, type EvaluatePolicyOutcome } from '../../src/gate/evaluate-policy.ts';
import type { Gate } from '../../src/gate/gate.ts';
import { pendingElicitations, whatIsPending } from '../../src/gate/pending-elicitations.ts';
import { resolveElicitation } from '../../src/gate/resolve-elicitation.ts';
import { resolveElicitations } from '../../src/gate/resolve-elicitations.ts';
import { updatePolicy } from '../../src/gate/update-policy.ts';
import { withdrawEvaluation } from '../../src/gate/withdraw-evaluation.ts';
import type { PolicyEvent } from '../../src/policy/event.ts';
import { expectKind } from '../support/journey.ts';
import { rawRows } from '../support/raw-rows.ts';
import { openTestGate, type TestGate } from '../support/open-gate.ts';
import { agentTimeouts, at, graceSeconds, guardName, guardTargets, guardTimeout, newModel, principals, type ModelGuard } from './model.ts';
import type { CallAct, ResolveAct, ResolveOneAct } from './model-steps.ts';
import { guard, rules } from './rules.ts';
import { byTag, elicitationText, evaluationText, objectText, type View } from './view.ts';

/** The real gate on a real database, driven and seen in the words of the model. */
export class World {
  readonly #test: TestGate;
  readonly #startedAt: Date;
  readonly #agents: string[] = [];
  readonly #sessions: Session[] = [];
  readonly #guards = new Map<number, string>();
  readonly #callers = new Map<number, { readonly gone: AbortController; answer: string }>();
  #evaluations: readonly EvaluationRow[] = [];
  #elicitations: readonly ElicitationRow[] = [];
  #outcomes: Readonly<Record<number, string>> = {};

  private constructor(test: TestGate) {
    this.#test = test;
    this.#startedAt = this.#gate().now();
  }

  static async open(): Promise<World> {
    const world = new World(await openTestGate({ handlers: [rules, guard], settings: { graceSeconds } }));
    for (const [index, askTimeoutSeconds] of agentTimeouts.entries()) {
      world.#agents.push(expectKind(await createAgent(world.#gate(), { name: `agent ${index}`, askTimeoutSeconds }), 'created').agent.id);
    }
    expectKind(await createPolicy(world.#gate(), { target: { server: true }, name: 'rules', handler: rules.name }), 'created');
    for (const session of newModel().sessions) await world.startSession(session);
    return world;
  }

  async close(): Promise<void> {
    for (const { gone } of this.#callers.values()) gone.abort();
    await this.#test.close();
  }

  /** A call is under way from now on; its answer is seen when it comes. */
  call({ caller, session, tool, command, tag, key, mode, principal }: CallAct): void {
    const gone = new AbortController();
    const entry = { gone, answer: 'holding' };
    this.#callers.set(caller, entry);
    const waitSeconds = { hold: null, leave: null, ticket: 0, longTicket: 10_000_000 }[mode];
    const gate = this.#test.open({ principal: principalOf(principal), signal: gone.signal });
    const input = { sessionId: at(this.#sessions, session).id, event: { toolCall: { name: tool, arguments: { tag, command } } }, idempotencyKey: key, waitSeconds };
    evaluatePolicy(gate, input).then(
      (outcome) => (entry.answer = answerText(outcome)),
      (error: unknown) => (entry.answer = `threw ${String(error)}`),
    );
    if (mode === 'leave') gone.abort();
  }

  leave(caller: number): void {
    this.#callers.get(caller)?.gone.abort();
  }

  async resolve({ tags, action, principal, edit, isStale }: ResolveOneAct): Promise<string> {
    const tag = at(tags, 0);
    const { id, digest } = this.#elicitation(tag);
    const editedArguments = edit === null ? null : { tag, command: edit };
    const expectedDigest = isStale ? '0'.repeat(64) : digest;
    return (await resolveElicitation(this.#gate(principal), { elicitationId: id, action, expectedDigest, editedArguments })).kind;
  }

  async resolveAll({ tags, action, principal }: ResolveAct): Promise<string> {
    return (await resolveElicitations(this.#gate(principal), { ids: tags.map((tag) => this.#elicitation(tag).id), action })).kind;
  }

  async withdraw({ tag, principal }: { tag: string; principal: string }): Promise<string> {
    const evaluation = this.#evaluations.find((each) => each.tag === tag);
    if (!evaluation) throw new Error(`There is no evaluation ${tag}.`);
    const { id, session_id: sessionId, idempotency_key: idempotencyKey } = evaluation;
    const which = idempotencyKey === null ? { evaluationId: id } : { sessionId, idempotencyKey };
    const withdrawn = await withdrawEvaluation(this.#gate(principal), which);
    return withdrawn.kind === 'withdrawn' ? answerText({ kind: 'evaluated', evaluation: withdrawn.evaluation }) : withdrawn.kind;
  }

  async endSession({ session, principal }: { session: number; principal: string }): Promise<string> {
    return (await endSession(this.#gate(principal), { sessionId: at(this.#sessions, session).id })).kind;
  }

  async startSession({ agent, parent }: { agent: number; parent: number | null }): Promise<void> {
    const parentId = parent === null ? null : at(this.#sessions, parent).id;
    this.#sessions.push(expectKind(await createSession(this.#gate(), { agentId: at(this.#agents, agent), parentId }), 'created').session);
  }

  /** Sets up, changes, or takes away the guard of a place. */
  async setGuard(slot: number, wanted: Omit<ModelGuard, 'slot'> | null): Promise<void> {
    const policyId = this.#guards.get(slot);
    const params = wanted && { tool: wanted.tool, does: wanted.does };
    if (policyId === undefined) {
      const target = at(guardTargets, slot);
      const place = 'session' in target ? { sessionId: at(this.#sessions, target.session).id } : 'agent' in target ? { agentId: at(this.#agents, target.agent) } : target;
      if (!params) return;
      const input = { target: place, name: guardName(slot), handler: guard.name, params, askTimeoutSeconds: guardTimeout };
      this.#guards.set(slot, expectKind(await createPolicy(this.#gate(), input), 'created').policy.id);
    } else if (params) {
      expectKind(await updatePolicy(this.#gate(), { policyId, params }), 'updated');
    } else {
      expectKind(await deletePolicy(this.#gate(), { policyId }), 'deleted');
      this.#guards.delete(slot);
    }
  }

  /** Moves the clock; what is overdue then is settled by a sweep. */
  skip(seconds: number): void {
    this.#test.skip(seconds);
  }

  sweep(): Promise<void> {
    return this.#test.house.sweep();
  }

  async restart(downSeconds: number): Promise<void> {
    await this.#test.house.close(); // before the clock moves, so that no sweep of the old one sees it
    this.#test.skip(downSeconds);
    await this.#test.restart();
    await this.sweep();
  }

  /** What the acts of this step were told. */
  tell(outcomes: Readonly<Record<number, string>>): void {
    this.#outcomes = outcomes;
  }

  async see(hasLeft: (caller: number) => boolean): Promise<View> {
    const gate = this.#gate();
    this.#evaluations = await this.#rows<EvaluationRow>(`select *, ${tagColumn} from evaluation`);
    this.#elicitations = await this.#rows<ElicitationRow>(`select *, ${tagColumn} from elicitation`);
    const sessions = await this.#rows<SessionRow>('select * from session');
    const pending = await whatIsPending(gate, null, { includeDescendants: true });
    const pendingBelowFirst = await pendingElicitations(gate, at(this.#sessions, 0), { includeDescendants: true });
    const tagOfElicitation = new Map(this.#elicitations.map(({ id, tag }) => [id, tag]));
    const tagsOf = (ids: readonly { id: string }[]) => ids.map(({ id }) => tagOfElicitation.get(id) ?? id).sort();
    return {
      evaluations: byTag(
        this.#evaluations.map(({ tag, idempotency_key: key, status, verdict, decided_by: decidedBy, elicitation_id: elicitationId, ticket, abandon_at: abandonAt, withheld, data }) => [
          tag,
          evaluationText({
            key,
            status,
            verdict,
            decidedBy,
            elicitation: elicitationId === null ? null : (tagOfElicitation.get(elicitationId) ?? elicitationId),
            ticket: ticket === 1,
            abandonAt: abandonAt === null ? null : this.#seconds(abandonAt),
            isWithheld: withheld !== null,
            data: JSON.parse(data ?? 'null'),
          }),
        ]),
      ),
      elicitations: byTag(
        this.#elicitations.map(({ id, tag, action, settled_at: settledAt, expires_at: expiresAt, resolved_by: resolvedBy }) => {
          const evaluations = this.#evaluations.filter(({ elicitation_id: elicitationId }) => elicitationId === id).map((evaluation) => evaluation.tag);
          const status = statusOf({ action, settledAt: settledAt === null ? null : new Date(settledAt), expiresAt: new Date(expiresAt) }, gate.now());
          const by = (JSON.parse(resolvedBy ?? 'null') as Principal | null)?.id ?? null;
          return [tag, elicitationText({ status, by, expiresAt: this.#seconds(expiresAt), evaluations })];
        }),
      ),
      sessions: this.#sessions.map(({ id }) => {
        const row = sessions.find((session) => session.id === id);
        if (!row) throw new Error(`The session ${id} is gone.`);
        const evaluators = (JSON.parse(row.evaluators) as string[]).sort();
        return { ended: row.ended_at !== null, state: objectText(JSON.parse(row.state) as object), labels: objectText(JSON.parse(row.labels) as object), evaluators };
      }),
      pending: tagsOf(pending),
      pendingBelowFirst: tagsOf(pendingBelowFirst),
      answers: Object.fromEntries([...this.#callers].flatMap(([number, { answer }]) => (hasLeft(number) ? [] : [[number, answer]]))),
      leaving: [...this.#callers].filter(([number, { answer }]) => hasLeft(number) && answer === 'holding').length,
      held: gate.waiting.size,
      outcomes: this.#outcomes,
      faults: this.#test.log.lines.filter(({ level, message }) => level === 'error' && !expectedErrors.includes(message)).map(({ message, fields }) => `${message} ${String(Reflect.get(fields, 'err'))}`),
    };
  }

  #rows<Row>(sql: string): Promise<Row[]> {
    return rawRows<Row>(this.#test.orm, sql);
  }

  #gate(principal?: string): Gate {
    return principal === undefined ? this.#test.open() : this.#test.open({ principal: principalOf(principal) });
  }

  #elicitation(tag: string): ElicitationRow {
    const found = this.#elicitations.find((elicitation) => elicitation.tag === tag);
    if (!found) throw new Error(`There is no elicitation ${tag}.`);
    return found;
  }

  /** On the model's clock: every time there is a multiple of 500. */
  #seconds(milliseconds: number): number {
    return Math.round((milliseconds - this.#startedAt.getTime()) / 500_000) * 500;
  }
}

/** Rows as they are stored: what is compared is the database, not what is made of it. */
interface EvaluationRow {
  readonly id: string;
  readonly tag: string;
  readonly session_id: string;
  readonly idempotency_key: string | null;
  readonly status: string;
  readonly verdict: string;
  readonly decided_by: string | null;
  readonly data: string | null;
  readonly withheld: string | null;
  readonly elicitation_id: string | null;
  readonly ticket: number;
  readonly abandon_at: number | null;
}

interface ElicitationRow {
  readonly id: string;
  readonly tag: string;
  readonly digest: string;
  readonly action: ElicitationAction | null;
  readonly expires_at: number;
  readonly settled_at: number | null;
  readonly resolved_by: string | null;
}

interface SessionRow {
  readonly id: string;
  readonly state: string;
  readonly labels: string;
  readonly evaluators: string;
  readonly ended_at: number | null;
}

const tagColumn = "event -> 'data' -> 'arguments' ->> 'tag' as tag";

/** What the crash tool, and a note to a sealed book, bring about. */
const expectedErrors = ['a policy failed to judge an event', 'what an ask had withheld does not fit the session any more'];

function principalOf(id: string): Principal {
  const found = principals.find((principal) => principal.id === id);
  if (!found) throw new Error(`There is no principal ${id}.`);
  return found;
}

function tagOf({ event }: { readonly event: PolicyEvent }): string {
  return event.type === 'tool_call' ? (event.data.arguments['tag'] as string) : '';
}

/** As the model renders it. */
function answerText(outcome: EvaluatePolicyOutcome): string {
  if (outcome.kind === 'idempotencyKeyReused') return `${outcome.kind} ${tagOf(outcome.evaluation)}`;
  if (outcome.kind !== 'evaluated') return outcome.kind;
  const { status, verdict, decidedBy, data } = outcome.evaluation;
  return ['evaluated', tagOf(outcome.evaluation), status, verdict, decidedBy ?? 'nobody', JSON.stringify(data ?? null)].join(' ');
}
