/** Bounds the work for one command line, so that no nesting, loop or doubling of values can hold the process. */
export class Budget {
  private steps = 0;
  private chars = 0;

  /** Counts work; one step of the walk is 1, what takes less is a part of it. False when there has been too much. */
  spend(steps: number): boolean {
    this.steps += steps;
    return this.steps <= stepsMax;
  }

  /** Counts source that is parsed; false when it has become too much. */
  parse(chars: number): boolean {
    this.chars += chars;
    return this.chars <= parsedCharsMax;
  }
}

export const depthMax = 40;

/** How many alternatives of one command's variables are followed. */
export const worldsMax = 32;

/** How many arguments of one command are followed. */
export const fieldsMax = 4096;

/** So many words, values or entries of a table are copied or looked at in the time of one step. */
export const itemsPerStep = 32;

/** A step takes some microseconds, and all of them must take less than 50 ms. */
const stepsMax = 4000;

const parsedCharsMax = 600_000;
