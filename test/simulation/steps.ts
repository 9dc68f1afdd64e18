import fc from 'fast-check';
import { expect } from 'vitest';
import { actArbitrary, bind, explanations, type Act } from './acts.ts';
import { guardTargets, type Model, type ModelGuard } from './model.ts';
import { restart, startSession, sweep } from './model-steps.ts';
import { tools } from './rules.ts';
import { viewOf } from './view.ts';
import type { World } from './world.ts';

/** Where the model is; each step replaces it. */
export interface Place {
  model: Model;
  acts: number;
  /** What acts were told. */
  readonly met: Set<string>;
}

/** One step of a run. */
export type Step = fc.AsyncCommand<Place, World>;

/** Some acts at once, perhaps after a move of the clock that makes some of it late. */
class Together implements Step {
  readonly #acts: readonly Act[];
  readonly #thousands: number;

  constructor(acts: readonly Act[], thousands: number) {
    this.#acts = acts;
    this.#thousands = thousands;
  }

  check(): boolean {
    return true;
  }

  async run(place: Place, world: World): Promise<void> {
    const isLate = this.#thousands > 0;
    const numbered = this.#acts.map((act) => [(place.acts += 1), act] as const);
    const bound = new Map(numbered.flatMap(([number, act]) => (((made) => (made ? [[number, made]] : []))(bind(act, place.model, { number, isLate })))));
    const sweeping = { perform: () => world.sweep().then(() => 'swept'), moments: [(model: Model) => (sweep(model), 'swept')] };
    if (isLate) bound.set((place.acts += 1), sweeping);

    const possible = explanations({ ...place.model, time: place.model.time + this.#thousands * 1000 }, bound);
    world.skip(this.#thousands * 1000);
    const outcomes = await Promise.all([...bound].map(async ([number, act]) => [number, await act.perform(world)] as const));
    world.tell(Object.fromEntries(outcomes));
    if (isLate) await world.sweep();
    if (isLate) possible.forEach(sweep);
    place.model = await agree(world, possible);
    for (const outcome of Object.values(place.model.outcomes)) place.met.add(outcome);
  }

  toString(): string {
    return `together(${JSON.stringify(this.#acts)}, ${this.#thousands})`;
  }
}

class Restart implements Step {
  readonly #thousands: number;

  constructor(thousands: number) {
    this.#thousands = thousands;
  }

  check(): boolean {
    return true;
  }

  async run(place: Place, world: World): Promise<void> {
    const next = { ...structuredClone(place.model), outcomes: {} };
    restart(next, this.#thousands * 1000);
    world.tell({});
    await world.restart(this.#thousands * 1000);
    place.model = await agree(world, [next]);
  }

  toString(): string {
    return `restart(${this.#thousands})`;
  }
}

class SetGuard implements Step {
  readonly #slot: number;
  readonly #wanted: Omit<ModelGuard, 'slot'> | null;

  constructor(slot: number, wanted: Omit<ModelGuard, 'slot'> | null) {
    this.#slot = slot;
    this.#wanted = wanted;
  }

  check({ model }: Readonly<Place>): boolean {
    const target = guardTargets[this.#slot];
    const isEnded = target !== undefined && 'session' in target && model.sessions[target.session]?.ended === true;
    return !isEnded && (this.#wanted !== null || model.guards.some(({ slot }) => slot === this.#slot));
  }

  async run(place: Place, world: World): Promise<void> {
    const next = { ...structuredClone(place.model), outcomes: {} };
    const others = next.guards.filter(({ slot }) => slot !== this.#slot);
    next.guards.splice(0, next.guards.length, ...others, ...(this.#wanted ? [{ slot: this.#slot, ...this.#wanted }] : []));
    world.tell({});
    await world.setGuard(this.#slot, this.#wanted);
    place.model = await agree(world, [next]);
  }

  toString(): string {
    return `setGuard(${this.#slot}, ${JSON.stringify(this.#wanted)})`;
  }
}

class StartSession implements Step {
  readonly #agent: number;
  readonly #parent: number | null;

  constructor(agent: number, parent: number | null) {
    this.#agent = agent;
    this.#parent = parent;
  }

  check({ model }: Readonly<Place>): boolean {
    return model.sessions.length < 6 && (this.#parent === null || model.sessions[this.#parent]?.ended === false);
  }

  async run(place: Place, world: World): Promise<void> {
    const next = { ...structuredClone(place.model), outcomes: {} };
    const session = { agent: this.#agent, parent: this.#parent };
    startSession(next, session);
    world.tell({});
    await world.startSession(session);
    place.model = await agree(world, [next]);
  }

  toString(): string {
    return `startSession(${this.#agent}, ${this.#parent})`;
  }
}

const patienceMilliseconds = 1500;
/** However long the machine pauses between two looks. */
const looksMin = 50;

/** Waits until the world is as one of the models says, and gives that one; fails with what differs. */
async function agree(world: World, models: readonly Model[]): Promise<Model> {
  const views = models.map((model) => ({ model, text: JSON.stringify(viewOf(model)) }));
  const left = new Set(models[0]?.callers.filter(({ state }) => state === 'left').map(({ number }) => number));
  const until = Date.now() + patienceMilliseconds;
  for (let looks = 1; ; looks += 1) {
    const seen = await world.see((caller) => left.has(caller));
    const text = JSON.stringify(seen);
    const found = views.find((view) => view.text === text);
    if (found) return found.model;
    if (looks > looksMin && Date.now() > until) {
      expect(seen, `${models.length} models explain what was done, and none is what the gate made of it; this is the first`).toEqual(models[0] && viewOf(models[0]));
      throw new Error('What is equal by value differs as a text.');
    }
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

const guardSettings = fc.option(fc.record({ tool: fc.constantFrom(...tools), does: fc.constantFrom('ask' as const, 'deny' as const) }), { freq: 3 });

export const steps: fc.Arbitrary<Step>[] = [
  ...Array.from({ length: 6 }, () => fc.tuple(fc.array(actArbitrary, { minLength: 1, maxLength: 1 }), fc.constant(0)).map((args) => new Together(...args))),
  ...Array.from({ length: 2 }, () => fc.tuple(fc.array(actArbitrary, { minLength: 2, maxLength: 3 }), fc.constant(0)).map((args) => new Together(...args))),
  fc.tuple(fc.array(actArbitrary, { maxLength: 2 }), fc.integer({ min: 1, max: 3 })).map((args) => new Together(...args)),
  fc.nat(2).map((thousands) => new Restart(thousands)),
  fc.tuple(fc.nat(guardTargets.length - 1), guardSettings).map((args) => new SetGuard(...args)),
  fc.tuple(fc.nat(1), fc.option(fc.nat(3))).map((args) => new StartSession(...args)),
];
