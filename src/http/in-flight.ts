/** What is under way, so that a shutdown can wait for its end. */
export class InFlight<Call> {
  readonly #calls = new Set<Call>();
  #whenEmpty: (() => void)[] = [];

  [Symbol.iterator](): IterableIterator<Call> {
    return this.#calls.values();
  }

  add(call: Call): void {
    this.#calls.add(call);
  }

  delete(call: Call): void {
    if (!this.#calls.delete(call) || this.#calls.size > 0) return;
    const waiting = this.#whenEmpty;
    this.#whenEmpty = [];
    for (const resolve of waiting) resolve();
  }

  /** Resolves when nothing is under way. */
  empty(): Promise<void> {
    return this.#calls.size === 0 ? Promise.resolve() : new Promise((resolve) => this.#whenEmpty.push(resolve));
  }
}
