import fc from 'fast-check';
import { localUser } from '../../src/entities/principal.ts';
import { at, type Model, type ModelElicitation } from './model.ts';
import { call, endSession, judgeAgain, leave, modes, resolve, resolveAll, withdraw, type CallAct } from './model-steps.ts';
import { commands, tools } from './rules.ts';
import type { World } from './world.ts';

/**
 * Something that somebody does. Numbers stand for "one of those that there are": what they mean is settled when the act is bound to
 * the model as it then is, so that a counterexample stays meaningful while it shrinks.
 */
export type Act =
  | (Pick<CallAct, 'tool' | 'command' | 'mode' | 'principal'> & { readonly kind: 'call'; readonly session: number; readonly key: number | null })
  | (Pick<CallAct, 'mode' | 'principal'> & { readonly kind: 'again'; readonly which: number; readonly isOther: boolean })
  | { readonly kind: 'leave'; readonly which: number }
  | { readonly kind: 'resolve'; readonly which: number; readonly any: boolean; readonly action: Action; readonly principal: string; readonly edit: (typeof commands)[number] | null; readonly isStale: boolean }
  | { readonly kind: 'resolveAll'; readonly which: readonly number[]; readonly any: boolean; readonly action: Action; readonly principal: string }
  | { readonly kind: 'withdraw'; readonly which: number; readonly principal: string }
  | { readonly kind: 'end'; readonly which: number; readonly principal: string };

type Action = 'ACCEPT' | 'DECLINE' | 'CANCEL';

const which = fc.nat(30);
// Most calls are of agents and in the first session, and most answers are of people: else nearly all are forbidden, or have no siblings.
const session = fc.constantFrom(0, 0, 0, 0, 0, 0, 1, 1, 2, 3);
const caller = fc.constantFrom('key one', 'key one', 'key two', localUser.id, 'ann');
const principal = fc.constantFrom('ann', 'bob', 'bob', localUser.id, 'key one');
const action = fc.constantFrom<Action>('ACCEPT', 'ACCEPT', 'ACCEPT', 'DECLINE', 'CANCEL');
const mode = fc.constantFrom(...modes, 'hold');
const rarely = fc.nat(9).map((number) => number === 9);

export const actArbitrary: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 30,
    arbitrary: fc.record({
      kind: fc.constant('call' as const),
      session,
      tool: fc.constantFrom(...tools, 'run', 'pay', 'pay', 'note', 'seal'),
      command: fc.constantFrom(...commands, 'ls', 'pwd'),
      key: fc.option(fc.nat(9), { freq: 2 }),
      mode,
      principal: caller,
    }),
  },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('again' as const), which, isOther: rarely, mode, principal: caller }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('leave' as const), which }) },
  {
    weight: 18,
    arbitrary: fc.record({ kind: fc.constant('resolve' as const), which, any: rarely, action, principal, edit: fc.option(fc.constantFrom(...commands), { freq: 4 }), isStale: rarely }).map((act) => ({
      ...act,
      edit: act.action === 'ACCEPT' ? act.edit : null,
    })),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('resolveAll' as const), which: fc.array(which, { minLength: 1, maxLength: 3 }), any: rarely, action, principal }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('withdraw' as const), which, principal }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('end' as const), which, principal }) },
);

/** An act on the things that there are. */
export interface BoundAct {
  /** What it was told. */
  perform(world: World): Promise<string>;
  /** What it does in the model, in moments between which others may act. The first text is what it was told. */
  readonly moments: readonly ((model: Model) => string | undefined)[];
}

/** Null: there is nothing to do it on. `number` tells it from every other act of the run. */
export function bind(act: Act, model: Model, { number, isLate }: { number: number; isLate: boolean }): BoundAct | null {
  switch (act.kind) {
    case 'call': {
      const { tool, command, mode: how, principal: who } = act;
      const session = act.session % model.sessions.length;
      const key = act.key === null ? null : `key ${act.key}`;
      return calling({ caller: number, tag: key === null ? `call ${number}` : `${key} of session ${session}`, session, tool, command, key, mode: how, principal: who });
    }
    case 'again': {
      const evaluation = oneOf(
        model.evaluations.filter(({ key }) => key !== null),
        act.which,
      );
      if (!evaluation) return null;
      const { tag, session, tool, command, key } = evaluation;
      return calling({ caller: number, tag: act.isOther ? `${tag}, but other` : tag, session, tool, command, key, mode: act.mode, principal: act.principal });
    }
    case 'leave': {
      const caller = oneOf(
        model.callers.filter(({ state }) => state === 'holding'),
        act.which,
      );
      if (!caller) return null;
      return {
        async perform(world) {
          world.leave(caller.number);
          return 'left';
        },
        moments: [
          (then) => {
            leave(then, caller.number);
            return 'left';
          },
        ],
      };
    }
    case 'resolve': {
      const elicitation = oneOf(resolvable(model, act.any), act.which);
      if (!elicitation) return null;
      const bound = { ...act, tags: [elicitation.tag], edit: isLate ? null : act.edit };
      return { perform: (world) => world.resolve(bound), moments: [(then) => resolve(then, bound), judgingAgain] };
    }
    case 'resolveAll': {
      const tags = [...new Set(act.which.flatMap((each) => oneOf(resolvable(model, act.any), each)?.tag ?? []))];
      if (tags.length === 0) return null;
      const bound = { ...act, tags };
      return { perform: (world) => world.resolveAll(bound), moments: [(then) => resolveAll(then, bound), judgingAgain] };
    }
    case 'withdraw': {
      const evaluation = oneOf(model.evaluations, act.which);
      if (!evaluation) return null;
      const bound = { tag: evaluation.tag, principal: act.principal };
      return { perform: (world) => world.withdraw(bound), moments: [(then) => withdraw(then, bound)] };
    }
    case 'end': {
      const bound = { session: act.which % model.sessions.length, principal: act.principal };
      return { perform: (world) => world.endSession(bound), moments: [(then) => endSession(then, bound)] };
    }
    default:
      return act satisfies never;
  }
}

function calling(act: CallAct): BoundAct {
  return {
    async perform(world) {
      world.call(act);
      return 'called'; // its answer is seen when it comes
    },
    moments: [
      (model) => {
        call(model, act);
        return 'called';
      },
    ],
  };
}

function judgingAgain(model: Model): undefined {
  judgeAgain(model);
}

function resolvable(model: Model, any: boolean): ModelElicitation[] {
  return model.elicitations.filter(({ status }) => any || status === 'PENDING');
}

function oneOf<T>(list: readonly T[], number: number): T | null {
  return list.length === 0 ? null : at(list, number % list.length);
}

/** Every model that the acts could lead to, had they come one moment after another in some order. */
export function explanations(model: Model, acts: ReadonlyMap<number, BoundAct>): Model[] {
  const found: Model[] = [];
  const seen = new Set<string>();
  const go = (current: Model, rest: ReadonlyMap<number, BoundAct['moments']>) => {
    if (rest.size === 0) found.push(current);
    for (const [number, [moment, ...later]] of rest) {
      const next = structuredClone(current);
      const outcome = moment?.(next);
      if (outcome !== undefined) next.outcomes[number] ??= outcome;
      const left = new Map(rest);
      if (later.length === 0) left.delete(number);
      else left.set(number, later);
      const reached = JSON.stringify([next, [...left].map(([each, moments]) => [each, moments.length])]);
      if (seen.has(reached)) continue;
      seen.add(reached);
      go(next, left);
    }
  };
  const start = structuredClone(model);
  for (const number of Object.keys(start.outcomes)) Reflect.deleteProperty(start.outcomes, number);
  go(start, new Map([...acts].map(([number, { moments }]) => [number, moments])));
  return found;
}
