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
  async agent({ em, access }: Gate, id: string): Promise<Agent | null> {
    return isAgentId(id) ? em.findOne(AgentSchema, { $and: [{ id }, ...visible.agents(access)] }) : null;
  },
  async session({ em, access }: Gate, id: string): Promise<Session | null> {
    return isSessionId(id) ? em.findOne(SessionSchema, { $and: [{ id }, ...visible.sessions(access)] }) : null;
  },
  async policy({ em, access }: Gate, id: string): Promise<Policy | null> {
    return isPolicyId(id) ? em.findOne(PolicySchema, { $and: [{ id }, ...visible.policies(access)] }) : null;
  },
  async evaluation({ em, access }: Gate, id: string): Promise<Evaluation | null> {
    return isEvaluationId(id) ? em.findOne(EvaluationSchema, { $and: [{ id }, ...visible.ofSessions(access)] }) : null;
  },
  async elicitation({ em, access }: Gate, id: string): Promise<Elicitation | null> {
    return isElicitationId(id) ? em.findOne(ElicitationSchema, { $and: [{ id }, ...visible.ofSessions(access)] }) : null;
  },
} as const;
