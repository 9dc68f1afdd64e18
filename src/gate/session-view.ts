import type { SqlEntityManager } from '@mikro-orm/sql';
import { LRUCache } from 'lru-cache';
import { AgentSchema, type LabelDefinition } from '../entities/agent.entity.ts';
import type { AgentId, SessionId } from '../entities/id.ts';
import { PolicySchema, type Policy } from '../entities/policy.entity.ts';
import type { Principal } from '../entities/principal.ts';
import { readRow, readRowOrFail, readRows } from '../entities/rows.ts';
import { lineageOf, SessionSchema, type Session } from '../entities/session.entity.ts';
import type { RunnablePolicy } from '../policy/pass.ts';
import { phases, type Phase } from '../policy/event.ts';
import { countedFacts, type CountedFactName } from '../policy/handler.ts';
import type { JsonObject } from '../policy/json.ts';
import { addPolicyGuard } from '../policy/add-policy-guard.ts';
import type { Registry } from '../policy/registry.ts';
import { treeStateOf } from './approvals.ts';
import { combineLabelDefinitions } from './label-definitions.ts';
import { readEpoch } from './policy-epoch.ts';
import { toRunnable } from './runnable-policy.ts';

/** What a verdict needs of a session. `labels`, `state`, `evaluators` and `version` move on as evaluations write, before their commit is through. */
export interface SessionView {
  readonly id: SessionId;
  /** Read before all else that the view is made of. */
  readonly epoch: number;
  /** From the root to the session itself. */
  readonly lineage: readonly SessionId[];
  readonly agentIds: readonly AgentId[];
  readonly agentName: string;
  readonly owner: Principal;
  readonly model: string | null;
  readonly harness: string | null;
  readonly ended: boolean;
  /** In evaluation order, the guard last. */
  readonly policies: readonly RunnablePolicy[];
  /** What must be looked up before they judge an event of the phase. */
  readonly lookUps: Readonly<Record<Phase, readonly CountedFactName[]>>;
  readonly labelValues: Readonly<Record<string, readonly string[]>>;
  /** The agent's, else the installation's default. */
  readonly askTimeoutSeconds: number;
  /** Whether its policies are judged on the state of another session, the root of its tree. */
  readonly seesTree: boolean;
  /** What they see of that. */
  readonly treeState: JsonObject;
  version: string;
  /** The last version that is known to be committed. Not `version`: what is judged now counts only if that is committed as well. */
  committedVersion: string;
  labels: Readonly<Record<string, string>>;
  state: JsonObject;
  evaluators: readonly string[];
}

export interface SessionViews {
  /** The cached view, at once. */
  peek(id: SessionId): SessionView | undefined;
  /** The view, read from the database where it is not cached; undefined: no such session. */
  load(id: SessionId, em: SqlEntityManager): Promise<SessionView | undefined>;
  /** Forgets all that a change of policies or definitions may have touched. Call it after the change is committed. */
  drop(changed: { session: SessionId } | { agent: AgentId } | 'server'): void;
  /** Forgets one session's own view: its row has changed. */
  forget(id: SessionId): void;
  /** For whoever judges and stores nothing: forgets the view where other servers may have changed, unheard, what it is made of. */
  refresh(id: SessionId): void;
  /** Forgets this view, and no newer one: what it expected did not happen. */
  discard(view: SessionView): void;
}

const defaultAskTimeoutSeconds = 86_400;

/** Twice the ten thousand sessions that the speed is promised for: more than this, each calling in turn, read the database at each call. */
const viewsMax = 20_000;

export function createSessionViews({ registry, labelDefinitions, isShared }: Known & { readonly isShared: boolean }): SessionViews {
  const views = new LRUCache<SessionId, SessionView>({ max: viewsMax });
  let drops = 0;

  function forget(id: SessionId): void {
    drops += 1;
    views.delete(id);
  }

  return {
    peek: (id) => views.get(id),

    async load(id, em) {
      for (;;) {
        const cached = views.get(id);
        if (cached) return cached;
        const dropsBefore = drops;
        const view = await readView(id, { em, registry, labelDefinitions });
        if (drops !== dropsBefore || views.has(id)) continue; // something changed while we read: what we read may be old
        if (view) views.set(id, view);
        return view;
      }
    },

    forget,

    refresh(id) {
      if (isShared) forget(id);
    },

    discard(view) {
      if (views.peek(view.id) === view) views.delete(view.id);
    },

    drop(changed) {
      drops += 1;
      if (changed === 'server') {
        views.clear();
        return;
      }
      for (const [id, view] of views) {
        if ('session' in changed ? view.lineage.includes(changed.session) : view.agentIds.includes(changed.agent)) views.delete(id);
      }
    },
  };
}

/** What is the same for every session. */
interface Known {
  readonly registry: Registry;
  readonly labelDefinitions: readonly LabelDefinition[];
}

async function readView(id: SessionId, { em, registry, labelDefinitions }: Known & { readonly em: SqlEntityManager }): Promise<SessionView | undefined> {
  const epoch = await readEpoch(em);
  const session = await readRow({ em }, SessionSchema, { id });
  if (!session) return undefined;
  const agent = await readRowOrFail({ em }, AgentSchema, { id: session.agent });
  const lineage = lineageOf(session);
  const askTimeoutSeconds = agent.askTimeoutSeconds ?? defaultAskTimeoutSeconds;
  const policies = (await policiesOf(session, em)).filter((policy) => policy.enabled).map((policy) => toRunnable(policy, registry));
  const seesTree = lineage.length > 1 && policies.some(({ needs = [] }) => needs.includes('state'));
  return {
    id,
    epoch,
    lineage,
    agentIds: [session.agent],
    agentName: agent.name,
    owner: session.owner,
    model: session.model ?? null,
    harness: session.harness ?? null,
    ended: Boolean(session.endedAt),
    policies: [...policies, addPolicyGuard].map((policy) => ({ ...policy, askTimeoutSeconds: policy.askTimeoutSeconds ?? askTimeoutSeconds })),
    lookUps: lookUpsOf(policies),
    labelValues: labelValuesOf(combineLabelDefinitions(labelDefinitions, agent.labelDefinitions)),
    askTimeoutSeconds,
    seesTree,
    treeState: seesTree ? await readTreeState(lineage, em) : {},
    version: session.version,
    committedVersion: session.version,
    labels: session.labels,
    state: session.state,
    evaluators: session.evaluators,
  };
}

/** What of the root's state counts in the whole tree. */
export async function readTreeState([root]: readonly SessionId[], em: SqlEntityManager): Promise<JsonObject> {
  if (root === undefined) return {};
  return treeStateOf((await readRowOrFail({ em }, SessionSchema, { id: root })).state);
}

/** All that are attached to a session, to its ancestors, to its agent and to the server, in evaluation order, disabled ones included. */
export async function policiesOf(session: Pick<Session, 'path' | 'agent'>, em: SqlEntityManager): Promise<Policy[]> {
  const targets = [...lineageOf(session).toReversed(), session.agent, 'server'];
  const policies = await readRows({ em }, PolicySchema, { target: { $in: targets } });
  return targets.flatMap((target) => policies.filter((policy) => policy.target === target));
}

function lookUpsOf(policies: readonly RunnablePolicy[]): SessionView['lookUps'] {
  const needed = (phase: Phase) => countedFacts.filter((name) => policies.some(({ on, needs = [] }) => needs.includes(name) && on.some((selector) => selector.phase === phase)));
  return Object.fromEntries(phases.map((phase) => [phase, needed(phase)])) as Record<Phase, CountedFactName[]>;
}

function labelValuesOf(definitions: readonly LabelDefinition[]): Record<string, readonly string[]> {
  return Object.fromEntries(definitions.flatMap(({ key, values }) => (values ? [[key, values]] : [])));
}
