/** More than can be under way at one moment between the servers. */
const recentMax = 1000;

/** The last thousand of what was added. */
export class Recent<Id> {
  readonly #ids = new Set<Id>();

  has(id: Id): boolean {
    return this.#ids.has(id);
  }

  add(id: Id): void {
    this.#ids.add(id);
    if (this.#ids.size <= recentMax) return;
    for (const oldest of this.#ids) {
      this.#ids.delete(oldest);
      return;
    }
  }
}
