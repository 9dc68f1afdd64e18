import { AgentSchema } from './agent.entity.ts';
import { ApiKeySchema } from './api-key.entity.ts';
import { AuditEntrySchema, AuditHeadSchema } from './audit-entry.entity.ts';
import { DailyCostSchema } from './daily-cost.entity.ts';
import { ElicitationSchema } from './elicitation.entity.ts';
import { EvaluationSchema } from './evaluation.entity.ts';
import { InstallationSchema } from './installation.entity.ts';
import { PolicySchema } from './policy.entity.ts';
import { SessionEventFloorSchema, SessionEventSchema } from './session-event.entity.ts';
import { SessionUsageSchema } from './session-usage.entity.ts';
import { ServerSchema } from './server.entity.ts';
import { SessionSchema } from './session.entity.ts';
import { UsageReportSchema } from './usage-report.entity.ts';

/** Every entity, for the ORM's configuration. */
export const entities = [AgentSchema, SessionSchema, PolicySchema, ElicitationSchema, EvaluationSchema, SessionUsageSchema, UsageReportSchema, DailyCostSchema, ApiKeySchema, AuditEntrySchema, AuditHeadSchema, InstallationSchema, ServerSchema, SessionEventSchema, SessionEventFloorSchema];
