/** Far more than a subscriber that reads falls behind by, and of ids only: some megabytes. */
const backlogMax = 10_000;

/**
 * What a slow subscriber has not taken yet, in order. Bounded: beyond `backlogMax` all of it is dropped, and `instead` waits in its place.
 */
export class Backlog<Value> {
  readonly full = false;
  readonly #instead: Value;
  #waiting: Value[] = [];
  /** How many of `#waiting` are taken: shifting an array of thousands for each would be slow. */
  #taken = 0;

  constructor(instead: Value) {
    this.#instead = instead;
  }

  get empty(): boolean {
    return this.#taken === this.#waiting.length;
  }

  add(value: Value): void {
    if (this.#waiting.length - this.#taken < backlogMax) {
      this.#waiting.push(value);
    } else {
      this.#waiting = [this.#instead];
      this.#taken = 0;
    }
  }

  remove(): Value {
    const [value] = this.#waiting.slice(this.#taken, this.#taken + 1);
    if (value === undefined) throw new Error('The backlog is empty.');
    this.#taken += 1;
    if (this.#taken >= 1024 || this.empty) {
      this.#waiting.splice(0, this.#taken);
      this.#taken = 0;
    }
    return value;
  }
}
