import type { ElicitationId } from '../entities/id.ts';
import type { Pending } from './pending-elicitations.ts';
import { Recent } from './recent.ts';

/** What a watcher of requests takes for pending, and what it lately heard the end of, for news of either may come twice and in any order. */
export class KnownElicitations {
  readonly #pending: Set<ElicitationId>;
  /** Of those that are pending no more: whose request is no news. */
  readonly #requested = new Recent<ElicitationId>();
  /** Their request may still come. */
  readonly #resolved = new Recent<ElicitationId>();

  constructor(pending: readonly Pending[]) {
    this.#pending = new Set(pending.map(({ id }) => id));
  }

  /** True: it is news. */
  request(id: ElicitationId): boolean {
    if (this.#pending.has(id) || this.#requested.has(id)) return false;
    if (this.#resolved.has(id)) this.#requested.add(id);
    else this.#pending.add(id);
    return true;
  }

  resolve(id: ElicitationId): void {
    if (this.#pending.delete(id)) this.#requested.add(id);
    this.#resolved.add(id);
  }

  /** Takes what is pending now for the truth, and gives what is news of it. */
  compare(pending: readonly Pending[]): readonly Pending[] {
    const now = new Set(pending.map(({ id }) => id));
    for (const id of this.#pending) if (!now.has(id)) this.resolve(id);
    return pending.filter(({ id }) => this.request(id));
  }
}
