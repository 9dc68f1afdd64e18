import { AgentSchema, type Agent } from '../entities/agent.entity.ts';
import { ElicitationSchema, type Elicitation } from '../entities/elicitation.entity.ts';
import { EvaluationSchema, type Evaluation } from '../entities/evaluation.entity.ts';
import { isAgentId, isElicitationId, isEvaluationId, isPolicyId, isSessionId } from '../entities/id.ts';
import { PolicySchema, type Policy } from '../entities/policy.entity.ts';
import { SessionSchema, type Session } from '../entities/session.entity.ts';
import type { Gate } from './gate.ts';
import { visible } from './visible.ts';

/** What has this id and is visible to the caller. Null: nothing, or the id is of another type. */
export const find = {
  async agent(gate: Gate, id: string): Promise<Agent | null> {
    return isAgentId(id) ? gate.em.findOne(AgentSchema, { $and: [{ id }, ...visible.agents(gate)] }) : null;
  },
  async session(gate: Gate, id: string): Promise<Session | null> {
    return isSessionId(id) ? gate.em.findOne(SessionSchema, { $and: [{ id }, ...visible.sessions(gate)] }) : null;
  },
  async policy(gate: Gate, id: string): Promise<Policy | null> {
    return isPolicyId(id) ? gate.em.findOne(PolicySchema, { $and: [{ id }, ...visible.policies(gate)] }) : null;
  },
  async evaluation(gate: Gate, id: string): Promise<Evaluation | null> {
    return isEvaluationId(id) ? gate.em.findOne(EvaluationSchema, { $and: [{ id }, ...visible.ofSessions(gate)] }) : null;
  },
  async elicitation(gate: Gate, id: string): Promise<Elicitation | null> {
    return isElicitationId(id) ? gate.em.findOne(ElicitationSchema, { $and: [{ id }, ...visible.ofSessions(gate)] }) : null;
  },
} as const;
