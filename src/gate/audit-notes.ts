import type { ApiKey } from '../entities/api-key.entity.ts';
import type { Agent } from '../entities/agent.entity.ts';
import type { Elicitation } from '../entities/elicitation.entity.ts';
import type { Evaluation } from '../entities/evaluation.entity.ts';
import type { Policy } from '../entities/policy.entity.ts';
import { system } from '../entities/principal.ts';
import type { Session } from '../entities/session.entity.ts';
import type { AuditNote } from './append-audit.ts';

type Answer = Required<Pick<Elicitation, 'action' | 'content' | 'comment' | 'editedArguments' | 'resolvedBy'>>;

type Asked = { readonly evaluation: Evaluation; readonly elicitation: Elicitation };

/** A person is asked, because of this evaluation. */
export function requestedNote({ evaluation, elicitation }: Asked): AuditNote {
  const { id, session, phase, message, contentPreview, policyNames, digest, expiresAt } = elicitation;
  return {
    ...askedBy(evaluation),
    session,
    action: 'ELICITATION_REQUESTED',
    subject: id,
    after: { evaluation: evaluation.id, session, phase, message, contentPreview, policyNames, digest, expiresAt },
  };
}

/** One more evaluation waits for what a person was asked already. */
export function joinedNote({ evaluation, elicitation }: Asked): AuditNote {
  return { ...askedBy(evaluation), session: elicitation.session, action: 'ELICITATION_JOINED', subject: elicitation.id, after: { evaluation: evaluation.id } };
}

function askedBy({ createdAt, principal }: Evaluation): Pick<AuditNote, 'at' | 'actor'> {
  return { at: createdAt, actor: principal };
}

/** `ownApproval`: who accepts evaluates on the session as well, which the configuration allows. */
export function resolvedNote({ id, session, digest }: Elicitation, resolution: Answer, { now, ownApproval = false }: { readonly now: Date; readonly ownApproval?: boolean }): AuditNote {
  const { resolvedBy, ...answer } = resolution;
  return { at: now, actor: resolvedBy ?? system, session, action: 'ELICITATION_RESOLVED', subject: id, before: null, after: { ...answer, digest, ...(ownApproval ? { ownApproval } : {}) } };
}

export function expiredNote({ id, session, digest, expiresAt }: Elicitation, now: Date): AuditNote {
  return { at: now, actor: system, session, action: 'ELICITATION_EXPIRED', subject: id, after: { digest, expiresAt } };
}

export function abandonedNote({ id, session, elicitation }: Evaluation, { actor, reason, at }: Pick<AuditNote, 'actor' | 'at'> & { readonly reason: string }): AuditNote {
  return { at, actor, session, action: 'EVALUATION_ABANDONED', subject: id, after: { elicitation, reason } };
}

/** After another approval its policies no longer ask. */
export function settledByPolicyNote({ id, session, elicitation }: Evaluation, { verdict }: Pick<Evaluation, 'verdict'>, at: Date): AuditNote {
  return { at, actor: system, session, action: 'EVALUATION_SETTLED_BY_POLICY', subject: id, after: { elicitation, verdict } };
}

/** What of a row an audit entry shows. */
export const auditView = {
  agent: ({ name, description, askTimeoutSeconds, labelDefinitions }: Agent) => ({ name, description, askTimeoutSeconds, labelDefinitions }),
  session: ({ title, labels, model }: Session) => ({ title, labels, model }),
  policy: ({ name, level, target, handler, params, on, condition, writableLabels, askTimeoutSeconds, enabled }: Policy) => ({
    ...{ name, level, target, handler, params, on, condition, writableLabels, askTimeoutSeconds, enabled },
  }),
  apiKey: ({ name, role, owner, agents, ownSessionsOnly, hint, expiresAt }: ApiKey) => ({ name, role, owner, agents, ownSessionsOnly, hint, expiresAt }),
} as const;
