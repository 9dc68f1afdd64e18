import { elicitationRequested } from '../crash/documents.ts';
import type { World } from './ask-fleet.ts';
import type { Name } from './fleet.ts';
import type { Stay } from './ledger.ts';
import { subscribeAlways } from './watch.ts';

export interface Shown {
  readonly id: string;
  readonly event: { readonly data: { readonly arguments: { readonly command: string } } };
}

export interface Watcher {
  readonly name: string;
  readonly as: Name;
  /** What it does about what it is shown. Omitted: it only looks. */
  readonly saw?: (shown: Shown) => void;
}

/** Watches all elicitations that it may see, now at this server, now at that, and notes what each connection showed. */
export function watch(world: World, { name, as, saw }: Watcher, until: AbortSignal): Promise<void> {
  const { ledger, random } = world;
  const owner = as === 'red' || as === 'blue' ? as : null;
  return subscribeAlways<Shown>(
    world,
    {
      as,
      query: elicitationRequested,
      variables: () => ({}),
      staysFor: () => random.integer(4, 30) * 1000,
      arrived({ at }) {
        const stay: Stay = { watcher: name, owner, from: at, until: Infinity, shown: [] };
        ledger.stays.push(stay);
        return {
          next(shown) {
            stay.shown.push(shown.id);
            saw?.(shown);
          },
          left: (leftAt) => void (stay.until = leftAt),
        };
      },
    },
    until,
  );
}
