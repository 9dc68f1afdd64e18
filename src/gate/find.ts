import type { EntitySchema } from '@mikro-orm/core';
import { AgentSchema, type Agent } from '../entities/agent.entity.ts';
import { ElicitationSchema, type Elicitation } from '../entities/elicitation.entity.ts';
import { EvaluationSchema, type Evaluation } from '../entities/evaluation.entity.ts';
import { isAgentId, isElicitationId, isEvaluationId, isPolicyId, isSessionId } from '../entities/id.ts';
import { PolicySchema, type Policy } from '../entities/policy.entity.ts';
import { SessionSchema, type Session } from '../entities/session.entity.ts';
import type { Gate } from './gate.ts';
import type { RowCondition } from '../entities/rows.ts';
import { readVisible } from './read-visible.ts';
import { visible } from './visible.ts';

/** What has this id and is visible to the caller. Null: nothing, or the id is of another type. */
export const find = {
  async agent(gate: Gate, id: string): Promise<Agent | null> {
    return isAgentId(id) ? one(gate, AgentSchema, { id, conditions: visible.agents(gate) }) : null;
  },
  async session(gate: Gate, id: string): Promise<Session | null> {
    return isSessionId(id) ? one(gate, SessionSchema, { id, conditions: visible.sessions(gate) }) : null;
  },
  async policy(gate: Gate, id: string): Promise<Policy | null> {
    return isPolicyId(id) ? one(gate, PolicySchema, { id, conditions: visible.policies(gate) }) : null;
  },
  async evaluation(gate: Gate, id: string): Promise<Evaluation | null> {
    return isEvaluationId(id) ? one(gate, EvaluationSchema, { id, conditions: visible.ofSessions(gate) }) : null;
  },
  async elicitation(gate: Gate, id: string): Promise<Elicitation | null> {
    return isElicitationId(id) ? one(gate, ElicitationSchema, { id, conditions: visible.ofSessions(gate) }) : null;
  },
} as const;

async function one<Row extends object>(gate: Gate, schema: EntitySchema<Row>, { id, conditions }: { readonly id: string; readonly conditions: readonly RowCondition[] }): Promise<Row | null> {
  const [row] = await readVisible(gate, schema, { ids: [id], conditions });
  return row ?? null;
}
