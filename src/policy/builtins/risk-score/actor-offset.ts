import { foldName } from '../../folded-name.ts';

/**
 * The points of whoever the agent acts for. An exact name counts as it is; one that differs in letter case or invisible characters
 * counts only when it adds risk, because that must not be lost by a capital. Throws on an actor that is no object.
 */
export function actorOffset(actor: unknown, offsets: Readonly<Record<string, number>>): number {
  if (actor === undefined || actor === null) return 0;
  if (typeof actor !== 'object' || Array.isArray(actor)) throw new TypeError('The actor is an object.');
  const name: unknown = 'run_as' in actor ? actor.run_as : null;
  if (typeof name !== 'string') return 0;
  if (Object.hasOwn(offsets, name)) return offsets[name] ?? 0;
  const folded = foldName(name);
  return Math.max(0, ...Object.entries(offsets).filter(([known]) => foldName(known) === folded).map(([, offset]) => offset));
}
