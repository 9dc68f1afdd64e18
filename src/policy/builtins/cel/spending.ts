import type { CelValue } from '@bufbuild/cel';
import type { CelLibrary } from './cel-library.ts';
import type { StepBudget } from './step-budget.ts';

/** What metered functions work with. */
export interface Metered {
  readonly library: CelLibrary;
  readonly budget: StepBudget;
}

/** What a function looks at of its arguments. */
export interface Reading {
  /** Also at the members of lists and maps, and theirs. */
  readonly inside: boolean;
  /** How far it comes with a text in one step. */
  readonly charactersPerStep: number;
}

/** Of what the engine searches, compares and joins by itself. */
export const fastCharactersPerStep = 64;

/** Of what goes through a text character by character, or copies it. */
export const slowCharactersPerStep = 8;

export const comparing: Reading = { inside: true, charactersPerStep: fastCharactersPerStep };

/** A member is unpacked and wrapped anew whenever it is looked at. */
const stepsPerValue = 3;

/** Values that are shared inside another are compared, and so count, as often as they stand there. */
export function spendFor(value: CelValue, reading: Reading, metered: Metered): void {
  const { cel } = metered.library;
  if (typeof value === 'string' || value instanceof Uint8Array) return metered.budget.spend(1 + value.length / reading.charactersPerStep);
  if (!reading.inside) return;
  metered.budget.spend(stepsPerValue);
  if (cel.isCelList(value)) for (const element of value) spendFor(element, reading, metered);
  else if (cel.isCelMap(value)) for (const member of value.values()) spendFor(member, reading, metered);
}
