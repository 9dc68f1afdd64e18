import { raw } from '@mikro-orm/core';
import type { Principal } from '../entities/principal.ts';
import { fits, type Access } from './access.ts';

/**
 * What a caller sees: the one place that says so, once for a row in hand and once for the database. Conditions are for one query only,
 * for a raw fragment serves once. What is not visible is not there: no answer tells that it exists.
 */
export const visible = {
  sessions: (access: Access) => condition((row) => sessionSql(access, row)),
  /** Of elicitations and evaluations, whose session must be visible. */
  ofSessions: (access: Access) => condition((row) => exists('session', `seen.id = ${row}.session_id`, sessionSql(access, 'seen'))),
  agents: (access: Access) => condition((row) => agentSql(access, row)),
  /** Those of the server, and those whose agent or session is visible. An agent sees none: it need not know what it must get past. */
  policies: (access: Access) =>
    condition((row) =>
      access.roles.every((role) => role === 'AGENT') ? nothing : either(
        { sql: `${row}.level = 'SERVER'`, values: [] },
        exists('session', `seen.id = ${row}.session_id`, sessionSql(access, 'seen')),
        exists('agent', `seen.id = ${row}.agent_id`, agentSql(access, 'seen')),
      ),
    ),
  apiKeys: (access: Access) => condition(() => (access.roles.includes('ADMIN') ? null : nothing)),
  auditEntries: (access: Access) => condition(() => (access.roles.includes('ADMIN') ? null : nothing)),
} as const;

/** The same of a session in hand. */
export function seesSession(access: Access, { owner, agentName }: { readonly owner: Principal; readonly agentName: string }): boolean {
  const { ownSessionsOnly } = access.reach;
  const isOwn = owner.kind === access.owner.kind && owner.id === access.owner.id;
  return (!ownSessionsOnly || isOwn) && seesAgent(access, agentName);
}

function seesAgent({ reach: { agents } }: Access, name: string): boolean {
  return agents === null || agents.some((pattern) => fits(name, pattern));
}

/** Sees every row there is. */
export function seesAll({ reach }: Access): boolean {
  return reach.agents === null && !reach.ownSessionsOnly;
}

interface Sql {
  readonly sql: string;
  readonly values: readonly string[];
}

const nothing: Sql = { sql: '1 = 0', values: [] };

/** `[]`: no condition. */
function condition(sqlOf: (row: string) => Sql | null): object[] {
  if (sqlOf('row') === null) return [];
  const values = sqlOf('row')?.values ?? [];
  return [{ [raw((alias) => sqlOf(alias)?.sql ?? '', [...values])]: [] }];
}

/** Null: every session. */
function sessionSql(access: Access, row: string): Sql | null {
  const { ownSessionsOnly } = access.reach;
  const own: Sql | null = ownSessionsOnly
    ? { sql: `(json_extract(${row}.owner, '$.id') = ? and json_extract(${row}.owner, '$.kind') = ?)`, values: [access.owner.id, access.owner.kind] }
    : null;
  const agents = agentSql(access, 'its_agent');
  const ofAgent = agents && { ...agents, sql: `exists (select 1 from agent as its_agent where its_agent.id = ${row}.agent_id and ${agents.sql})` };
  return own && ofAgent ? { sql: `(${own.sql} and ${ofAgent.sql})`, values: [...own.values, ...ofAgent.values] } : (own ?? ofAgent);
}

function agentSql({ reach: { agents } }: Access, row: string): Sql | null {
  if (agents === null) return null;
  if (agents.length === 0) return nothing;
  return { sql: `(${agents.map(() => `${row}.name glob ?`).join(' or ')})`, values: agents.map((pattern) => pattern.replace(/[[?]/g, '[$&]')) };
}

function exists(table: string, link: string, inner: Sql | null): Sql | null {
  return inner && { sql: `exists (select 1 from ${table} as seen where ${link} and ${inner.sql})`, values: inner.values };
}

/** Null where one of them has no condition. */
function either(...parts: readonly (Sql | null)[]): Sql | null {
  const all = parts.filter((part) => part !== null);
  return all.length < parts.length ? null : { sql: `(${all.map(({ sql }) => sql).join(' or ')})`, values: all.flatMap(({ values }) => values) };
}
