/**
 * What one judgement may cost: a fixed count, so that the same event always ends the same way, on a slow machine as on a fast one.
 * A step is some tenths of a microsecond; whatever takes time spends in proportion, before it is done.
 */
const stepsMax = 100_000;

export class StepBudget {
  #left = stepsMax;

  renew(): void {
    this.#left = stepsMax;
  }

  /** Throws OutOfSteps once the budget is used up, and whenever it is asked after that. */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new OutOfSteps();
  }
}

/** It ends an evaluation: no operator of the language can catch it. */
export class OutOfSteps extends Error {
  override readonly name = 'OutOfSteps';

  constructor() {
    super(`the expression takes more than ${stepsMax.toLocaleString('en')} steps on this event`);
  }
}
