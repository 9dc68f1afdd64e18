import type { SessionId } from '../entities/id.ts';
import type { Gate } from './gate.ts';
import type { Reach } from './route-writes.ts';

/** Drops the views of all that may be judged otherwise by what was written. Call it after the commit. */
export function forgetWritten({ views }: Pick<Gate, 'views'>, { lineage, reach }: { readonly lineage: readonly SessionId[]; readonly reach: Reach }): void {
  const [root, self] = [lineage[0], lineage.at(-1)];
  if (reach.tree && root !== undefined) views.drop({ session: root });
  else if (reach.session && self !== undefined) views.forget(self);
}
