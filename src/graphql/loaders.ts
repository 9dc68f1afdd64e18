import DataLoader from 'dataloader';
import type { z } from 'zod';
import { AgentSchema, type Agent } from '../entities/agent.entity.ts';
import { ApiKeySchema, type ApiKey } from '../entities/api-key.entity.ts';
import { AuditEntrySchema, type AuditEntry } from '../entities/audit-entry.entity.ts';
import { ElicitationSchema, type Elicitation } from '../entities/elicitation.entity.ts';
import { EvaluationSchema, type Evaluation } from '../entities/evaluation.entity.ts';
import { agentId, apiKeyId, auditEntryId, elicitationId, evaluationId, policyId, sessionId } from '../entities/id.ts';
import { PolicySchema, type Policy } from '../entities/policy.entity.ts';
import { SessionSchema, type Session } from '../entities/session.entity.ts';
import { ownUsage, SessionUsageSchema, type Usage } from '../entities/session-usage.entity.ts';
import { readRows } from '../entities/rows.ts';
import type { Gate } from '../gate/gate.ts';
import { readVisible } from '../gate/read-visible.ts';
import { visible } from '../gate/visible.ts';

/** What the caller may see, in reads that are collected over one turn of the event loop and sent as one query: a list of 100 with nested fields is a handful of queries. */
export interface Loaders {
  readonly agent: ById<Agent>;
  readonly session: ById<Session>;
  readonly policy: ById<Policy>;
  readonly evaluation: ById<Evaluation>;
  readonly elicitation: ById<Elicitation>;
  readonly apiKey: ById<ApiKey>;
  readonly auditEntry: ById<AuditEntry>;
  /** Those that raised or share the elicitation, oldest first. */
  evaluationsOf(elicitation: Pick<Elicitation, 'id'>): Promise<Evaluation[]>;
  /** Those attached to `server`, or to the agent or session of this id, in evaluation order. */
  policiesOn(target: string): Promise<Policy[]>;
  /** What the session of this id has used itself. */
  usageOf(session: Session['id']): Promise<Usage>;
}

export interface ById<Entity> {
  /** Null: there is none that the caller may see, or this is not an id of the type. */
  find(id: string): Promise<Entity | null>;
  /** For an id that another row holds. Throws where there is none, for then the database is broken. */
  get(id: string): Promise<Entity>;
}

export function createLoaders(gate: Pick<Gate, 'em' | 'access' | 'dialect'>): Loaders {
  const { em } = gate;
  const evaluations = groups(
    async (ids: readonly Elicitation['id'][]) => readRows({ em }, EvaluationSchema, { elicitation: { $in: ids } }),
    (evaluation) => evaluation.elicitation,
  );
  const policies = groups(
    async (targets: readonly string[]) => readRows({ em }, PolicySchema, { target: { $in: targets }, $and: visible.policies(gate) }),
    (policy) => policy.target,
  );
  const usages = groups(
    async (ids: readonly Session['id'][]) => readRows({ em }, SessionUsageSchema, { session: { $in: ids } }),
    (usage) => usage.session,
  );
  return {
    agent: byId(agentId, (ids) => readVisible(gate, AgentSchema, { ids, conditions: visible.agents(gate) })),
    session: byId(sessionId, (ids) => readVisible(gate, SessionSchema, { ids, conditions: visible.sessions(gate) })),
    policy: byId(policyId, (ids) => readVisible(gate, PolicySchema, { ids, conditions: visible.policies(gate) })),
    evaluation: byId(evaluationId, (ids) => readVisible(gate, EvaluationSchema, { ids, conditions: visible.ofSessions(gate) })),
    elicitation: byId(elicitationId, (ids) => readVisible(gate, ElicitationSchema, { ids, conditions: visible.ofSessions(gate) })),
    apiKey: byId(apiKeyId, (ids) => readVisible(gate, ApiKeySchema, { ids, conditions: visible.apiKeys(gate) })),
    auditEntry: byId(auditEntryId, (ids) => readVisible(gate, AuditEntrySchema, { ids, conditions: visible.auditEntries(gate) })),
    evaluationsOf: ({ id }) => evaluations.load(id),
    policiesOn: (target) => policies.load(target),
    usageOf: async (id) => ownUsage((await usages.load(id))[0]),
  };
}

/** Well below the number of parameters that a statement may have. */
const maxBatchSize = 1000;

function byId<Schema extends z.ZodType<string>, Entity extends { id: z.output<Schema> }>(schema: Schema, read: (ids: z.output<Schema>[]) => Promise<Entity[]>): ById<Entity> {
  const loader = new DataLoader<z.output<Schema>, Entity | null>(
    async (ids) => {
      const found = new Map<string, Entity>((await read([...ids])).map((entity) => [entity.id, entity]));
      return ids.map((id) => found.get(id) ?? null);
    },
    { maxBatchSize },
  );
  const find = async (id: string) => {
    const parsed = schema.safeParse(id);
    return parsed.success ? loader.load(parsed.data) : null;
  };
  return {
    find,
    async get(id) {
      const entity = await find(id);
      if (!entity) throw new Error(`A row refers to ${id}, which is not there.`);
      return entity;
    },
  };
}

function groups<Key extends string, Entity>(read: (keys: readonly Key[]) => Promise<Entity[]>, keyOf: (entity: Entity) => Key | null | undefined): DataLoader<Key, Entity[]> {
  return new DataLoader<Key, Entity[]>(
    async (keys) => {
      const entities = Map.groupBy(await read(keys), keyOf);
      return keys.map((key) => entities.get(key) ?? []);
    },
    { maxBatchSize },
  );
}
