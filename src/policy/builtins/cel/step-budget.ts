/**
 * What one judgement may cost, in steps of about half a microsecond: a fixed count, so that the same event always ends the same way, on a
 * slow machine as on a fast one.
 */
const stepsMax = 20_000;

/** A regular expression reads so many characters in one step. */
export const charactersPerStep = 20;

export class StepBudget {
  #left = stepsMax;

  renew(): void {
    this.#left = stepsMax;
  }

  /** Throws once the budget is used up, and whenever it is asked after that. */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new Error(`the expression takes more than ${stepsMax.toLocaleString('en')} steps on this event`);
  }
}
