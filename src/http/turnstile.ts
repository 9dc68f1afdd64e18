/** How many operations begin in one turn of the event loop: a few milliseconds of work. Fewer make smaller commits. */
const perTurn = 4;

/**
 * Lets operations begin: at once, as long as few come; where more come in one turn of the event loop than it should do, each caller's
 * in turn. A flood then waits for itself, and whoever else calls waits a turn, not for all that came before.
 */
export class Turnstile {
  /** Whose turn comes first is first. */
  readonly #queues = new Map<unknown, (() => void)[]>();
  #begun = 0;
  #isTurning = false;

  enter(caller: unknown, begin: () => void): void {
    this.#turnSoon();
    if (this.#begun < perTurn && this.#queues.size === 0) {
      this.#begun += 1;
      begin();
      return;
    }
    const queue = this.#queues.get(caller);
    if (queue) queue.push(begin);
    else this.#queues.set(caller, [begin]);
  }

  pass(caller: unknown): Promise<void> {
    return new Promise((begin) => this.enter(caller, begin));
  }

  #turnSoon(): void {
    if (this.#isTurning) return;
    this.#isTurning = true;
    setImmediate(() => this.#turn());
  }

  #turn(): void {
    this.#isTurning = false;
    this.#begun = 0;
    for (const [caller, queue] of this.#queues) {
      if (this.#begun >= perTurn) break;
      this.#queues.delete(caller);
      const begin = queue.shift();
      if (queue.length > 0) this.#queues.set(caller, queue); // to the end: this loop comes to it again
      this.#begun += 1;
      this.#turnSoon();
      begin?.();
    }
  }
}
