/** How many operations begin in one turn of the event loop. More make larger commits, and a longer wait for whoever comes next. */
const ofSeveralCallers = 4;
const ofOneCaller = 16;

/**
 * Lets operations begin: at once, as long as few come; where more come in one turn of the event loop than it should do, each caller's
 * in turn. A flood then waits for itself, and whoever else calls waits a turn, not for all that came before.
 */
export class Turnstile {
  /** Whose turn comes first is first. */
  readonly #queues = new Map<unknown, (() => void)[]>();
  readonly #callers = new Set<unknown>();
  #begun = 0;
  #isTurning = false;

  enter(caller: unknown, begin: () => void): void {
    this.#turnSoon();
    this.#callers.add(caller);
    if (this.#queues.size === 0 && this.#hasRoom()) {
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

  #hasRoom(): boolean {
    return this.#begun < (this.#callers.size > 1 ? ofSeveralCallers : ofOneCaller);
  }

  #turnSoon(): void {
    if (this.#isTurning) return;
    this.#isTurning = true;
    setImmediate(() => this.#turn());
  }

  #turn(): void {
    this.#isTurning = false;
    this.#begun = 0;
    this.#callers.clear();
    for (const caller of this.#queues.keys()) this.#callers.add(caller);
    for (const [caller, queue] of this.#queues) {
      if (!this.#hasRoom()) break;
      this.#queues.delete(caller);
      const begin = queue.shift();
      if (queue.length > 0) this.#queues.set(caller, queue); // to the end: this loop comes to it again
      this.#begun += 1;
      this.#turnSoon();
      begin?.();
    }
  }
}
