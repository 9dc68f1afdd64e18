import type { Identity } from '../gate/credentials.ts';

type Role = Identity['access']['roles'][number];
type Reach = Identity['access']['reach'];

/** What a value of the roles claim gives: a role, whose reach is everything, or a role with a reach, as keys have one. */
export type Grant = Role | { readonly role: Role; readonly agents?: readonly string[] | undefined; readonly ownSessionsOnly?: boolean | undefined };

export interface Granted {
  readonly roles: readonly Role[];
  readonly reach: Reach;
}

/**
 * What the values of a claim give together. The reach is that of the strongest role: a VIEWER of everything who is an APPROVER for some
 * agents reaches these. Where several values give that role, each adds its agents, and one that keeps to own sessions keeps all to them.
 * Null: no role.
 */
export function grantedBy(claim: unknown, grants: Readonly<Record<string, Grant>>): Granted | null {
  const given = [claim].flat().flatMap((value) => (typeof value === 'string' && Object.hasOwn(grants, value) ? [grants[value]] : []));
  const full = given.flatMap((grant) => (grant === undefined ? [] : typeof grant === 'string' ? [{ role: grant }] : [grant]));
  const strongest = byStrength.find((role) => full.some((grant) => grant.role === role));
  if (strongest === undefined) return null;
  return { roles: [...new Set(full.map(({ role }) => role))], reach: reachOf(full.filter(({ role }) => role === strongest)) };
}

const byStrength: readonly Role[] = ['ADMIN', 'APPROVER', 'VIEWER', 'AGENT'];

function reachOf(grants: readonly Exclude<Grant, string>[]): Reach {
  const agents = grants.flatMap((grant) => grant.agents ?? []);
  const isEvery = grants.some((grant) => grant.agents === undefined);
  return { agents: isEvery ? null : agents, ownSessionsOnly: grants.some(({ role, ownSessionsOnly }) => role === 'AGENT' || ownSessionsOnly === true) };
}
