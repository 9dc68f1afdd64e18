import type { FilterQuery } from '@mikro-orm/core';
import type { Elicitation, ElicitationStatus } from '../entities/elicitation.entity.ts';
import { isAgentId, isSessionId } from '../entities/id.ts';

interface ElicitationFilter {
  readonly status?: ElicitationStatus | null | undefined;
  readonly sessionId?: string | null | undefined;
  readonly agentId?: string | null | undefined;
  readonly requestedAfter?: Date | null | undefined;
}

/** The conditions of a filter, all to be met. */
export function elicitationsWhere({ status, sessionId, agentId, requestedAfter }: ElicitationFilter, now: Date): FilterQuery<Elicitation>[] {
  const conditions: FilterQuery<Elicitation>[] = [];
  if (status) conditions.push(stands(status, now));
  if (sessionId) conditions.push(isSessionId(sessionId) ? { session: sessionId } : none);
  if (agentId) conditions.push(isAgentId(agentId) ? ({ session: { agent: agentId } } as FilterQuery<Elicitation>) : none);
  if (requestedAfter) conditions.push({ requestedAt: { $gt: requestedAfter } });
  return conditions;
}

const none: FilterQuery<Elicitation> = { id: { $in: [] } };

/** `statusOf`, as a condition on the row. */
function stands(status: ElicitationStatus, now: Date): FilterQuery<Elicitation> {
  switch (status) {
    case 'PENDING':
      return { action: null, settledAt: null, expiresAt: { $gt: now } };
    case 'ACCEPTED':
      return { action: 'ACCEPT' };
    case 'DECLINED':
      return { action: 'DECLINE' };
    case 'CANCELLED':
      return { action: 'CANCEL' };
    case 'EXPIRED':
      return { action: null, $or: [{ settledAt: { $ne: null } }, { expiresAt: { $lte: now } }] };
    default:
      return status satisfies never;
  }
}
