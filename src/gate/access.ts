import { localUser, type Principal } from '../entities/principal.ts';
import type { Role } from '../entities/role.ts';

/** What a caller may do and see, as its credential says. */
export interface Access {
  readonly roles: readonly Role[];
  /** The user behind the caller, who owns what it creates: a person itself, or the one whose agent calls. */
  readonly owner: Principal;
  readonly reach: Reach;
  /** May accept what it asks for itself: the one user of a server without credentials, or where the configuration allows it. */
  readonly acceptsOwn: boolean;
  /** Aborted when the credential expires or is revoked: whoever watches or waits then stops. */
  readonly ended: AbortSignal;
}

/** Which sessions a caller sees and decides on. */
export interface Reach {
  /** Patterns of the names of agents, `*` for any text; null: every agent. */
  readonly agents: readonly string[] | null;
  /** Only sessions of its own owner. */
  readonly ownSessionsOnly: boolean;
}

const everything: Reach = { agents: null, ownSessionsOnly: false };

/** Of Countersign itself, and of the one user of a server without credentials. */
export function fullAccess(principal: Principal): Access {
  return { roles: ['ADMIN'], owner: principal, reach: everything, acceptsOwn: principal.id === localUser.id, ended: never };
}

const never = new AbortController().signal;

/** Every id under which a caller counts as having evaluated: another login of the same user is the same person. */
export function identitiesOf({ principal, access }: { readonly principal: Principal; readonly access: Access }): readonly string[] {
  return [...new Set([principal.id, access.owner.id])];
}

/** Whether a name fits a pattern in which `*` stands for any text. In linear time: each part is looked for once, from left to right. */
export function fits(name: string, pattern: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  if (rest.length === 0) return name === pattern;
  const last = rest.pop() ?? '';
  if (!name.startsWith(first) || name.length < first.length + last.length || !name.endsWith(last)) return false;
  let from = first.length;
  for (const part of rest) {
    const at = name.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return from <= name.length - last.length;
}
