/** What a slow subscriber has not taken yet, in order. Never full, so nothing is dropped; what is kept are ids. */
export class Backlog<Value> {
  readonly full = false;
  #waiting: Value[] = [];
  /** How many of `#waiting` are taken: shifting an array of thousands for each would be slow. */
  #taken = 0;

  get empty(): boolean {
    return this.#taken === this.#waiting.length;
  }

  add(value: Value): void {
    this.#waiting.push(value);
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
