/** Bounds the work for one command line, so that no nesting, loop or doubling of values can hold the process. */
export class Budget {
  private steps = 0;
  private chars = 0;

  /** Counts one step of the walk; false when there have been too many. */
  step(): boolean {
    this.steps += 1;
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

const stepsMax = 20_000;

const parsedCharsMax = 1_000_000;
