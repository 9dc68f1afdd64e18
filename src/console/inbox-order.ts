import type { Entry } from '../elements/inbox.ts';

/** Identical asks: one card. The key is their digest. */
export interface Group {
  readonly key: string;
  readonly entries: readonly Entry[];
  readonly isPending: boolean;
}

export type Order = 'oldest' | 'newest' | 'deadline' | 'risk';

export interface Filter {
  /** Every word of it must be somewhere in the ask. */
  readonly text: string;
  /** An agent's id; empty: all. */
  readonly agentId: string;
}

/** Asks of one digest together, in the order in which the first of each came. */
export function groupsOf(entries: readonly Entry[], filter: Filter): readonly Group[] {
  const words = filter.text.toLowerCase().split(/\s+/).filter((word) => word !== '');
  const groups = Map.groupBy(
    entries.filter((entry) => isWanted(entry, filter.agentId, words)),
    ({ elicitation }) => elicitation.digest,
  );
  return [...groups].map(([key, members]) => ({ key, entries: members, isPending: members.some(({ elicitation }) => elicitation.status === 'PENDING') }));
}

/** Whether it waits, and for somebody like the viewer. */
export function isForViewer({ entries }: Group): boolean {
  const pending = entries.filter(({ elicitation }) => elicitation.status === 'PENDING');
  return pending.length > 0 && pending.every(({ elicitation }) => elicitation.viewerCanResolve);
}

/** The known group where nothing of it has changed: its card is not drawn again for whatever else comes in. */
export function kept(known: Group | undefined, group: Group): Group {
  const isSame = known?.entries.length === group.entries.length && known.entries.every((entry, index) => entry === group.entries[index]);
  return known && isSame ? known : group;
}

function isWanted({ elicitation }: Entry, agentId: string, words: readonly string[]): boolean {
  if (agentId !== '' && elicitation.session.agent.id !== agentId) return false;
  if (words.length === 0) return true;
  const text = [elicitation.message, elicitation.session.title, elicitation.session.agent.name, ...elicitation.policyNames, JSON.stringify(elicitation.event)].join(' ').toLowerCase();
  return words.every((word) => text.includes(word));
}

/** Sorts from scratch: for when a person asks for it, never by itself, so that nothing moves under a pointer. */
export function inOrder(groups: readonly Group[], order: Order, bySession: boolean): readonly string[] {
  const sorted = groups.toSorted((a, b) => compare[order](firstOf(a), firstOf(b)));
  if (!bySession) return sorted.map(({ key }) => key);
  return [...Map.groupBy(sorted, (group) => firstOf(group).session.id).values()].flat().map(({ key }) => key);
}

/** The known order, and after it what is new. */
export function appended(order: readonly string[], groups: readonly Group[]): readonly string[] {
  const there = new Set(groups.map(({ key }) => key));
  const known = new Set(order);
  return [...order.filter((key) => there.has(key)), ...groups.flatMap(({ key }) => (known.has(key) ? [] : [key]))];
}

export function firstOf({ entries }: Group): Entry['elicitation'] {
  const first = entries[0];
  if (!first) throw new Error('A group has at least one entry.');
  return first.elicitation;
}

type Elicitation = Entry['elicitation'];

const byAge = (a: Elicitation, b: Elicitation) => a.requestedAt.localeCompare(b.requestedAt) || a.id.localeCompare(b.id);

const compare: Readonly<Record<Order, (a: Elicitation, b: Elicitation) => number>> = {
  oldest: byAge,
  newest: (a, b) => byAge(b, a),
  deadline: (a, b) => a.expiresAt.localeCompare(b.expiresAt) || byAge(a, b),
  // The more policies object, the more there is to look at; then what ends soonest.
  risk: (a, b) => b.policyNames.length - a.policyNames.length || a.expiresAt.localeCompare(b.expiresAt) || byAge(a, b),
};
