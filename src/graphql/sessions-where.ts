import { raw, type FilterQuery } from '@mikro-orm/core';
import { isAgentId, isSessionId } from '../entities/id.ts';
import type { Session } from '../entities/session.entity.ts';

interface SessionFilter {
  readonly agentId?: string | null | undefined;
  readonly parentId?: string | null | undefined;
  readonly open?: boolean | null | undefined;
  readonly hasPending?: boolean | null | undefined;
  readonly search?: string | null | undefined;
}

/** The conditions of a filter, all to be met. For one query only: a raw fragment serves once. */
export function sessionsWhere({ agentId, parentId, open, hasPending, search }: SessionFilter, now: Date): FilterQuery<Session>[] {
  const conditions: FilterQuery<Session>[] = [];
  if (agentId) conditions.push(isAgentId(agentId) ? { agent: agentId } : none);
  if (parentId) conditions.push(isSessionId(parentId) ? { parent: parentId } : none);
  if (typeof open === 'boolean') conditions.push({ endedAt: open ? null : { $ne: null } });
  if (typeof hasPending === 'boolean') conditions.push(waits(hasPending, now));
  const term = search?.trim();
  if (term) conditions.push(canMatch(term) ? matches(term) : none);
  return conditions;
}

const none: FilterQuery<Session> = { id: { $in: [] } };

/** Those with something pending, and all their ancestors. */
function waits(hasPending: boolean, now: Date): FilterQuery<Session> {
  const waiting =
    'with recursive waiting(id) as (select session_id from elicitation where settled_at is null and expires_at > ? ' +
    'union select parent_id from session join waiting on session.id = waiting.id where parent_id is not null) select id from waiting';
  return { [raw((alias) => `${alias}.id ${hasPending ? 'in' : 'not in'} (${waiting})`, [now])]: [] };
}

const titleCharactersMax = 256;

/** No title is longer or has such characters; a database refuses to look for them. */
function canMatch(term: string): boolean {
  return term.length <= titleCharactersMax && term.isWellFormed() && !term.includes('\0');
}

/** In lower case by the database on both sides, so that letters which it does not know (SQLite: beyond A to Z) still match themselves. */
function matches(term: string): FilterQuery<Session> {
  const pattern = `%${term.replace(/[\\%_]/g, '\\$&')}%`;
  const title = { [raw((alias) => `lower(${alias}.title) like lower(?) escape '\\'`, [pattern])]: [] };
  return isSessionId(term) ? { $or: [{ id: term }, title] } : title;
}
