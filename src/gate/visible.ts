import { raw } from '@mikro-orm/core';
import type { Principal } from '../entities/principal.ts';
import type { RowCondition, Sql } from '../entities/rows.ts';
import { fits, type Access } from './access.ts';
import type { Gate } from './gate.ts';

/**
 * What a caller sees: the one place that says so, once for a row in hand and once for the database. What is not visible is not there:
 * no answer tells that it exists. Empty: everything is visible.
 */
export const visible = {
  sessions: (gate: Looking) => condition((row) => sessionSql(gate, row)),
  /** Of elicitations and evaluations, whose session must be visible. */
  ofSessions: (gate: Looking) => condition((row) => exists('session', `seen.id = ${row}.session_id`, sessionSql(gate, 'seen'))),
  agents: (gate: Looking) => condition((row) => agentSql(gate, row)),
  /** Those of the server, and those whose agent or session is visible. An agent sees none: it need not know what it must get past. */
  policies: (gate: Looking) =>
    condition((row) =>
      gate.access.roles.every((role) => role === 'AGENT') ? nothing : either(
        { sql: `${row}.level = 'SERVER'`, values: [] },
        exists('session', `seen.id = ${row}.session_id`, sessionSql(gate, 'seen')),
        exists('agent', `seen.id = ${row}.agent_id`, agentSql(gate, 'seen')),
      ),
    ),
  apiKeys: ({ access }: Looking) => condition(() => (access.roles.includes('ADMIN') ? null : nothing)),
  auditEntries: ({ access }: Looking) => condition(() => (access.roles.includes('ADMIN') ? null : nothing)),
} as const;

/** Who looks, and where. */
type Looking = Pick<Gate, 'access' | 'dialect'>;

/** Whether policies are for the caller to see: an agent need not know what it must get past. */
export function seesPolicies({ roles }: Access): boolean {
  return roles.some((role) => role !== 'AGENT');
}

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

const nothing: Sql = { sql: '1 = 0', values: [] };

function condition(sqlOf: (row: string) => Sql | null): readonly RowCondition[] {
  return sqlOf('row') ? [(row) => sqlOf(row) ?? nothing] : [];
}

/** For the entity manager, and for one query only: a raw fragment serves once. */
export function filters(conditions: readonly RowCondition[]): object[] {
  return conditions.map((condition) => ({ [raw((alias) => condition(alias).sql, [...condition('row').values])]: [] }));
}

/** Null: every session. */
function sessionSql(gate: Looking, row: string): Sql | null {
  const { access, dialect } = gate;
  const { ownSessionsOnly } = access.reach;
  const own: Sql | null = ownSessionsOnly
    ? { sql: `(${dialect.textIn(`${row}.owner`, 'id')} = ? and ${dialect.textIn(`${row}.owner`, 'kind')} = ?)`, values: [access.owner.id, access.owner.kind] }
    : null;
  const agents = agentSql(gate, 'its_agent');
  const ofAgent = agents && { ...agents, sql: `exists (select 1 from agent as its_agent where its_agent.id = ${row}.agent_id and ${agents.sql})` };
  return own && ofAgent ? { sql: `(${own.sql} and ${ofAgent.sql})`, values: [...own.values, ...ofAgent.values] } : (own ?? ofAgent);
}

function agentSql({ access, dialect }: Looking, row: string): Sql | null {
  const { agents } = access.reach;
  if (agents === null) return null;
  if (agents.length === 0) return nothing;
  return { sql: `(${agents.map(() => dialect.fits(`${row}.name`)).join(' or ')})`, values: agents.map((pattern) => dialect.parameterOf(pattern)) };
}

function exists(table: string, link: string, inner: Sql | null): Sql | null {
  return inner && { sql: `exists (select 1 from ${table} as seen where ${link} and ${inner.sql})`, values: inner.values };
}

/** Null where one of them has no condition. */
function either(...parts: readonly (Sql | null)[]): Sql | null {
  const all = parts.filter((part) => part !== null);
  return all.length < parts.length ? null : { sql: `(${all.map(({ sql }) => sql).join(' or ')})`, values: all.flatMap(({ values }) => values) };
}
