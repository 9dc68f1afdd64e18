import type { ElicitationId } from '../entities/id.ts';

/** More than can be under way at one moment between the servers. */
const recentMax = 1000;

/** What a watcher knows of: what it takes for pending, and what it lately heard the end of, for news of either may come twice and in any order. */
export class KnownElicitations {
  readonly #pending: Set<ElicitationId>;
  /** Of those that are pending no more: whose request, and whose resolution, is no news. */
  readonly #requested = new Recent();
  readonly #resolved = new Recent();

  constructor(pending: Iterable<ElicitationId>) {
    this.#pending = new Set(pending);
  }

  /** True: it is news. */
  request(id: ElicitationId): boolean {
    if (this.#pending.has(id) || this.#requested.has(id)) return false;
    if (this.#resolved.has(id)) this.#requested.add(id);
    else this.#pending.add(id);
    return true;
  }

  /** True: it is news. */
  resolve(id: ElicitationId): boolean {
    if (this.#pending.delete(id)) this.#requested.add(id);
    if (this.#resolved.has(id)) return false;
    this.#resolved.add(id);
    return true;
  }

  /** Takes what is pending now for the truth, and gives what is news of it. */
  compare(pending: readonly ElicitationId[]): { readonly requested: readonly ElicitationId[]; readonly resolved: readonly ElicitationId[] } {
    const now = new Set(pending);
    const gone = [...this.#pending].filter((id) => !now.has(id));
    return { resolved: gone.filter((id) => this.resolve(id)), requested: pending.filter((id) => this.request(id)) };
  }
}

class Recent {
  readonly #ids = new Set<ElicitationId>();

  has(id: ElicitationId): boolean {
    return this.#ids.has(id);
  }

  add(id: ElicitationId): void {
    this.#ids.add(id);
    const [oldest] = this.#ids;
    if (this.#ids.size > recentMax && oldest !== undefined) this.#ids.delete(oldest);
  }
}
