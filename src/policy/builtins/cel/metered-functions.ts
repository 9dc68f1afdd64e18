import type { Call, Functions, Group } from './functions.ts';
import { ownFunctions } from './own-functions.ts';
import { fastCharactersPerStep, slowCharactersPerStep, spendFor, type Metered, type Reading } from './spending.ts';

/**
 * The library's functions, which spend steps in proportion to what they look at before they run, and before them functions of ours:
 * what instrumenting puts in, and those whose own version takes time that cannot be told beforehand.
 */
export function meteredFunctions(standard: Functions, metered: Metered): Functions {
  const ours = ownFunctions(standard, metered);
  const find = (name: string): Group | undefined => {
    const own = ours.get(name);
    const group = standard.find(name);
    if (!own && !group) return undefined;
    const theirs = group && chargedFirst(group, name, metered);
    const call: Call = (id, target, args) => {
      const result = own?.(id, target, args);
      return result === undefined ? theirs?.(id, target, args) : result;
    };
    // What else a group has is for the type checker, which is not used here.
    return Object.create(group ?? null, { name: { value: name }, call: { value: call } }) as Group;
  };
  return Object.create(standard, { find: { value: find } }) as Functions;
}

function chargedFirst(group: Group, name: string, metered: Metered): Call {
  const reading: Reading = { inside: namesThatLookInside.has(name), charactersPerStep: fastNames.has(name) ? fastCharactersPerStep : slowCharactersPerStep };
  const steps = 1 + (namesThatKnowTimeZones.has(name) ? stepsPerTimeZone : 0);
  return (id, target, args) => {
    metered.budget.spend(steps);
    if (target !== undefined) spendFor(target, reading, metered);
    for (const arg of args) spendFor(arg, reading, metered);
    return group.call(id, target, args);
  };
}

/** The others read the size of a list or map, or a single member. */
const namesThatLookInside: ReadonlySet<string> = new Set(['_==_', '_!=_', 'join', 'format']);

/** What they do with a text the engine does at once. */
const fastNames: ReadonlySet<string> = new Set([
  ...['_==_', '_!=_', '_<_', '_<=_', '_>_', '_>=_', '_+_', 'contains', 'startsWith', 'endsWith', 'indexOf', 'lastIndexOf', 'substring', 'charAt', 'trim', 'join', 'dyn', 'type'],
]);

const namesThatKnowTimeZones: ReadonlySet<string> = new Set([
  ...['getDate', 'getDayOfMonth', 'getDayOfWeek', 'getDayOfYear', 'getFullYear', 'getHours', 'getMilliseconds', 'getMinutes', 'getMonth', 'getSeconds'],
]);

/** It is looked up anew each time. */
const stepsPerTimeZone = 500;
