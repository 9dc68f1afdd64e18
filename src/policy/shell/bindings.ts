import { itemsPerStep, type Budget } from './budget.ts';

/** Names and what they are bound to. A fork costs nothing until one of the two is written to; then the copy is counted. */
export class Bindings<Value> {
  private map: Map<string, Value>;
  private isShared: boolean;
  private readonly budget: Budget;

  constructor(budget: Budget, map?: Map<string, Value>) {
    this.budget = budget;
    this.map = map ?? new Map<string, Value>();
    this.isShared = map !== undefined;
  }

  get(name: string): Value | undefined {
    return this.map.get(name);
  }

  get size(): number {
    return this.map.size;
  }

  entries(): IterableIterator<[string, Value]> {
    return this.map.entries();
  }

  set(name: string, value: Value): void {
    this.own().set(name, value);
  }

  delete(name: string): void {
    if (this.map.has(name)) this.own().delete(name);
  }

  filter(keep: (value: Value) => boolean): void {
    for (const [name, value] of [...this.map]) if (!keep(value)) this.delete(name);
  }

  update(change: (value: Value) => Value): void {
    for (const [name, value] of [...this.map]) this.set(name, change(value));
  }

  fork(): Bindings<Value> {
    this.isShared = true;
    return new Bindings(this.budget, this.map);
  }

  become(fork: Bindings<Value>): void {
    this.map = fork.map;
    this.isShared = true;
    fork.isShared = true;
  }

  /** Whether nothing was written to either since one was forked from the other. */
  isSame(other: Bindings<Value>): boolean {
    return this.map === other.map;
  }

  join(other: Bindings<Value>, merge: (one: Value | undefined, two: Value | undefined, name: string) => Value): void {
    if (this.isSame(other)) return;
    this.budget.spend((this.size + other.size) / itemsPerStep);
    for (const name of new Set([...this.map.keys(), ...other.map.keys()])) {
      const [one, two] = [this.map.get(name), other.map.get(name)];
      if (one === two) continue;
      const merged = merge(one, two, name);
      if (merged !== one) this.set(name, merged);
    }
  }

  private own(): Map<string, Value> {
    if (this.isShared) {
      this.budget.spend(this.size / itemsPerStep);
      this.map = new Map(this.map);
      this.isShared = false;
    }
    return this.map;
  }
}
