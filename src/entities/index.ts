import { AgentSchema } from './agent.entity.ts';
import { ElicitationSchema } from './elicitation.entity.ts';
import { EvaluationSchema } from './evaluation.entity.ts';
import { PolicySchema } from './policy.entity.ts';
import { SessionSchema } from './session.entity.ts';

/** Every entity, for the ORM's configuration. */
export const entities = [AgentSchema, SessionSchema, PolicySchema, ElicitationSchema, EvaluationSchema];
