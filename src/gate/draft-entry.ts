import type { Evaluation } from '../entities/evaluation.entity.ts';
import { dayOf } from '../entities/daily-cost.entity.ts';
import { newEvaluationId } from '../entities/id.ts';
import { newVersion } from '../entities/session.entity.ts';
import type { Decision } from '../policy/pass.ts';
import { phaseOf } from '../policy/event.ts';
import type { Json } from '../policy/json.ts';
import { identitiesOf } from './access.ts';
import { elicitationFor } from './ask.ts';
import type { Beyond } from './beyond.ts';
import type { Call } from './call.ts';
import type { Entry, SessionChange } from './commit.ts';
import type { JudgedOn } from './confirm.ts';
import { denialOf } from './denial.ts';
import type { Gate } from './gate.ts';
import { maskedDecision } from './masked-decision.ts';
import { below, joined } from './masked-paths.ts';
import { routeWrites, type RoutedWrites } from './route-writes.ts';
import { written, writesNothing } from './session-row.ts';
import type { SessionView } from './session-view.ts';

interface Judged {
  readonly call: Call;
  readonly decision: Decision;
}

interface Drafted extends Judged {
  /** Masked. */
  readonly decision: Decision;
  readonly dataPaths: readonly string[];
  /** The unmasked data. */
  readonly data: Json;
}

/**
 * What a decision writes. The view moves on at once, so that the next event is judged on what this one leaves, before the commit;
 * if the commit fails, whoever judged on the view fails with it. Null: the view moved on while the ask was prepared; judge again.
 */
export async function draftEntry(gate: Gate, view: SessionView, { call, decision: judged }: Judged): Promise<Entry | null> {
  const expectedVersion = view.version;
  const { decision, dataPaths } = maskedDecision(gate, judged, call.masked.secrets);
  const elicitation = decision.verdict === 'ASK' ? await elicitationFor(gate, view, { decision, call }) : null;
  if (view.version !== expectedVersion) return null;
  const data = judged.verdict === 'DENY' ? null : judged.data;
  const evaluation = { ...draftEvaluation(gate, view, { call, decision, dataPaths, data }), elicitation: elicitation?.row.id ?? null };
  const routed = decision.verdict === 'ASK' || writesNothing(decision.writes) ? null : routeWrites(decision.writes, { isRoot: view.lineage.length === 1 });
  const isAsk = decision.verdict === 'ASK';
  const judgedOn = judgedOnOf(view);
  return { judgedOn, evaluation, elicitation, beyond: beyondOf(view, { routed, day: dayOf(evaluation.createdAt) }), session: moveOn(view, { routed, isAsk, identities: identitiesOf(gate) }) };
}

/** Before the view moves on. */
function judgedOnOf({ id, version, epoch, seesTree, lineage: [root], treeState }: SessionView): JudgedOn {
  return { session: id, version, epoch, tree: seesTree && root !== undefined ? { root, state: treeState } : null };
}

/** Null: nothing of the session changes, and nothing depends on it staying as it is. */
function moveOn(view: SessionView, { routed, isAsk, identities }: { routed: RoutedWrites | null; isAsk: boolean; identities: readonly string[] }): SessionChange | null {
  const writes = routed?.reach.session ? routed.own : null;
  const joining = identities.filter((id) => !view.evaluators.includes(id));
  const changes = joining.length > 0 || writes !== null;
  const isAhead = view.version !== view.committedVersion;
  if (!changes && !isAhead && !isAsk) return null;
  const expectedVersion = view.version;
  if (changes) {
    if (writes) Object.assign(view, written(view, writes));
    if (joining.length > 0) view.evaluators = [...view.evaluators, ...joining];
    view.version = newVersion();
  }
  const { version, labels, state, evaluators } = view;
  return { id: view.id, lineage: view.lineage, expectedVersion, next: { version, labels, state, evaluators } };
}

function beyondOf({ lineage, owner }: SessionView, { routed, day }: { routed: RoutedWrites | null; day: string }): Beyond | null {
  if (!routed || !(routed.reach.tree || routed.reach.owner)) return null;
  const { tree, dayUsd, reach } = routed;
  return { lineage, tree, day: dayUsd === null ? null : { owner, day, approvedUsd: dayUsd }, reach };
}

function draftEvaluation(gate: Gate, view: SessionView, { call, decision, dataPaths, data }: Drafted): Evaluation {
  const now = gate.now();
  const id = newEvaluationId();
  const { value: event, paths } = call.masked;
  const common = {
    id,
    session: view.id,
    principal: gate.principal,
    phase: phaseOf(call.event),
    event,
    digest: paths.length > 0 ? gate.digests.ofEvent(view.id, call.event) : null,
    maskedPaths: joined(below('/event', paths), below('/data', dataPaths)),
    dataDigest: dataPaths.length > 0 ? gate.digests.of(data) : null,
    idempotencyKey: call.idempotencyKey,
    model: call.caller.model,
    harness: call.caller.harness,
    elicitation: null,
    withheld: null,
    ticket: false,
    abandonAt: null,
    heldBy: null,
    createdAt: now,
    decidedAt: now,
    status: 'DECIDED' as const,
  };
  switch (decision.verdict) {
    case 'ALLOW':
      return { ...common, verdict: 'ALLOW', decidedBy: 'POLICY', reason: null, decidingPolicies: [], data: decision.data };
    case 'DENY':
      return { ...common, ...denialOf(gate, common, decision), data: null };
    case 'ASK':
      return {
        ...common,
        verdict: 'ASK',
        status: 'AWAITING_APPROVAL',
        decidedBy: null,
        reason: decision.message,
        decidingPolicies: decision.policies,
        data: decision.data,
        withheld: decision.writes,
        ticket: call.waitSeconds !== null,
        heldBy: gate.lease.id,
        decidedAt: null,
      };
    default:
      return decision satisfies never;
  }
}
