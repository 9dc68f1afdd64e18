import type { CelInput, CelList, CelMap, CelResult, CelValue } from '@bufbuild/cel';
import type { Call, Functions } from './functions.ts';
import { hooks } from './instrument-expression.ts';
import { Patterns } from './patterns.ts';
import { comparing, fastCharactersPerStep, spendFor, type Metered } from './spending.ts';
import type { StepBudget } from './step-budget.ts';

/** By name; where one gives undefined, the library's function of that name has its turn. */
export function ownFunctions(standard: Functions, metered: Metered): ReadonlyMap<string, Call> {
  const { budget } = metered;
  const { celList, isCelList, isCelMap } = metered.library.cel;
  const patterns = new Patterns(metered);
  /** The lists under construction. */
  const arrays = new WeakMap<CelList, CelInput[]>();

  const equals = (one: CelValue, other: CelValue): CelResult | undefined => {
    spendFor(one, comparing, metered);
    spendFor(other, comparing, metered);
    return standard.find('_==_')?.call(0, undefined, [one, other]);
  };

  return new Map<string, Call>([
    [
      hooks.tick,
      (_id, _target, [parts]) => {
        budget.spend(stepsPerTurn + Number(parts));
        return true;
      },
    ],
    [
      hooks.range,
      (_id, _target, [range]) => {
        if (isCelList(range) || isCelMap(range)) budget.spend(range.size);
        return range;
      },
    ],
    [
      hooks.list,
      () => {
        const array: CelInput[] = [];
        const list = celList(array);
        arrays.set(list, array);
        return list;
      },
    ],
    [
      hooks.append,
      (_id, _target, [list, element]) => {
        if (isCelList(list) && element !== undefined) arrays.get(list)?.push(element);
        return list;
      },
    ],
    [hooks.index, (id, _target, [operand, key]) => indexed({ operand, key, id }, metered)],
    [hooks.has, (_id, _target, [operand, field]) => (isCelMap(operand) && typeof field === 'string' ? operand.get(field) !== undefined : undefined)],
    [
      '@in',
      (_id, _target, [element, range]) => {
        budget.spend(1);
        if (isCelMap(range)) return isKey(element, metered) ? memberOf(range, element, budget) !== undefined : undefined;
        if (!isCelList(range) || element === undefined) return undefined;
        for (const candidate of range) if (equals(candidate, element) === true) return true;
        return false;
      },
    ],
    [
      '_+_',
      (_id, _target, [one, other]) => {
        if (!isCelList(one) || !isCelList(other)) return undefined;
        budget.spend(1 + one.size + other.size);
        return celList([...one, ...other]);
      },
    ],
    ['matches', (id, target, args) => patterns.test(target === undefined ? args : [target, ...args], id)],
    ['replace', (_id, target, args) => replaced([target, ...args], budget)],
    [
      'join',
      (_id, list, [separator]) => {
        if (isCelList(list) && typeof separator === 'string') budget.spend((list.size * separator.length) / fastCharactersPerStep);
        return undefined;
      },
    ],
    ...['contains', 'indexOf', 'lastIndexOf', 'split'].map((name): [string, Call] => [
      name,
      (_id, text, [part]) => {
        // In the worst case each place of the text is compared with the whole part.
        if (typeof text === 'string' && typeof part === 'string') budget.spend((text.length * part.length) / comparisonsPerStep);
        return undefined;
      },
    ]),
  ]);
}

/** What a turn of a loop takes by itself. */
const stepsPerTurn = 10;

const comparisonsPerStep = 4096;

type Key = bigint | string | boolean | number;

function isKey(value: unknown, { library }: Metered): value is Key {
  return typeof value === 'bigint' || typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number' || library.cel.isCelUint(value);
}

/** The library searches all keys for a number that it does not find at once. */
function memberOf(map: CelMap, key: Key, budget: StepBudget): CelValue | undefined {
  if (typeof key !== 'string' && typeof key !== 'boolean') budget.spend(map.size);
  return map.get(key);
}

function indexed({ operand, key, id }: { operand: CelValue | undefined; key: CelValue | undefined; id: number }, metered: Metered): CelResult | undefined {
  const { cel } = metered.library;
  metered.budget.spend(1);
  if (cel.isCelMap(operand)) {
    const member = isKey(key, metered) ? memberOf(operand, key, metered.budget) : undefined;
    return member === undefined ? cel.celError('no such key', id) : member;
  }
  if (!cel.isCelList(operand)) return undefined;
  const index = cel.isCelUint(key) ? key.value : key;
  if (typeof index !== 'bigint' && (typeof index !== 'number' || !Number.isInteger(index))) return undefined;
  const element = operand.get(Number(index));
  return element === undefined ? cel.celError('index out of bounds', id) : element;
}

/** As the library's, but not once over the whole text for each replacement. */
function replaced(args: readonly (CelValue | undefined)[], budget: StepBudget): CelResult | undefined {
  const [text, old, fresh, limit] = args;
  if (args.length > 4 || typeof text !== 'string' || typeof old !== 'string' || typeof fresh !== 'string') return undefined;
  if (limit !== undefined && typeof limit !== 'bigint') return undefined;
  budget.spend(1 + text.length / fastCharactersPerStep + (text.length * old.length) / comparisonsPerStep);
  const parts = text.split(old);
  budget.spend(parts.length);
  const times = limit === undefined || limit < 0n ? parts.length - 1 : Math.min(Number(limit), parts.length - 1);
  budget.spend((times * fresh.length) / fastCharactersPerStep);
  const rest = parts.slice(times).join(old);
  return times === 0 ? rest : parts.slice(0, times).join(fresh) + fresh + rest;
}
