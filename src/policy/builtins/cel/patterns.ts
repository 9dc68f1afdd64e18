import type { CelResult, CelValue } from '@bufbuild/cel';
import type { CelLibrary } from './cel-library.ts';
import { LinearRegex, RegexFault } from './linear-regex.ts';
import type { Metered } from './spending.ts';

/** The regular expressions of one expression, each compiled once. */
export class Patterns {
  readonly #metered: Metered;
  readonly #known = new Map<string, LinearRegex | RegexFault>();

  constructor(metered: Metered) {
    this.#metered = metered;
  }

  test([text, pattern]: readonly (CelValue | undefined)[], id: number): CelResult | undefined {
    if (typeof text !== 'string' || typeof pattern !== 'string') return undefined;
    const regex = this.#compiled(pattern);
    if (regex instanceof RegexFault) return this.#metered.library.cel.celError(regex.message, id);
    return regex.test(text, (steps) => this.#metered.budget.spend(steps));
  }

  #compiled(pattern: string): LinearRegex | RegexFault {
    const known = this.#known.get(pattern);
    if (known) return known;
    this.#metered.budget.spend(stepsPerPattern + pattern.length);
    const fresh = compiledOrFault(pattern, this.#metered.library);
    if (this.#known.size >= patternsMax) this.#known.clear();
    this.#known.set(pattern, fresh);
    return fresh;
  }
}

/** What is wrong with a pattern, in words for its author; null: nothing. */
export function faultOfPattern(pattern: string, library: CelLibrary): string | null {
  const compiled = compiledOrFault(pattern, library);
  return compiled instanceof RegexFault ? compiled.message : null;
}

function compiledOrFault(pattern: string, { re2 }: CelLibrary): LinearRegex | RegexFault {
  try {
    return new LinearRegex(pattern, re2);
  } catch (error) {
    if (error instanceof RegexFault) return error;
    throw error;
  }
}

/** More than an expression writes down; patterns may also be made of what an event holds. */
const patternsMax = 100;

const stepsPerPattern = 2000;
