import type { CelValue } from '@bufbuild/cel';
import { z } from 'zod';
import { phases } from '../../event.ts';
import { firstCodePoints } from '../../first-code-points.ts';
import { countedFacts, defineHandler, type FactName } from '../../handler.ts';
import { InvalidParams } from '../../params-issues.ts';
import { abstain, allow, ask, deny, type Opinion } from '../../verdict.ts';
import { celEvent } from './cel-input.ts';
import { celLibrary } from './cel-library.ts';
import { compileExpression, expressionCharsMax } from './compile-expression.ts';

const onErrors = ['ask', 'deny', 'abstain'] as const;

const freeFacts = ['state', 'labels', 'model', 'harness', 'actor'] as const satisfies readonly FactName[];

/** Looked up only for expressions that speak of them: that takes a query for each event. */
const spellings: Readonly<Record<(typeof countedFacts)[number], string>> = { usage: 'usage', subtreeUsage: 'subtree_usage', userDailyCost: 'user_daily_cost' };

/** What takes `event` or its context as a whole, or asks for a member that it makes up, may look at all of it. */
const looksFurther = /\b(?:event|context)\b(?!\s*\.\s*\w)/;

export const celPolicy = defineHandler({
  name: 'cel.cel_policy',
  title: 'Judge by an expression',
  description:
    'Judges by an expression in the Common Expression Language (CEL) on the variable `event`. It answers with a map: {"result": "DENY", "reason": "…"}, ' +
    '"ASK" or "ALLOW"; anything else is no opinion. A request\'s `event.data` is the text that the person wrote.',
  phases,
  needs: [...freeFacts, ...countedFacts],
  needsFor: ({ expression }) => [...freeFacts, ...countedFacts.filter((name) => looksFurther.test(expression) || expression.includes(spellings[name]))],
  params: z.object({
    expression: z
      .string()
      .min(1, 'Must not be empty.')
      .max(expressionCharsMax)
      .meta({ title: 'Expression', description: 'In CEL, e.g. event.type == "tool_call" && event.target == "Bash" ? {"result": "ASK"} : {}' }),
    reason: z.string().nullable().default(null).meta({ title: 'Reason', description: 'What is said with a DENY or an ASK whose map has no reason of its own.' }),
    on_error: z
      .enum(onErrors)
      .default('ask')
      .meta({ title: 'When it fails', description: 'The answer where the expression fails on an event, such as on a field that is not there, or takes too long.' }),
  }),
  create({ expression, reason, on_error: onError }) {
    const compiled = compileExpression(expression);
    if (compiled.kind === 'refused') throw new InvalidParams([{ path: ['expression'], message: compiled.message }]);
    return ({ event, facts }) => {
      const outcome = compiled.run(celEvent(event, facts));
      return outcome.kind === 'failed' ? failed(outcome.message, onError) : opinionOf(outcome.value, reason);
    };
  },
});

function failed(message: string, onError: (typeof onErrors)[number]): Opinion {
  const reason = `The expression of this policy fails on this event: ${message}.`;
  switch (onError) {
    case 'ask':
      return ask(reason);
    case 'deny':
      return deny(reason);
    case 'abstain':
      return abstain();
    default:
      return onError satisfies never;
  }
}

function opinionOf(result: CelValue, given: string | null): Opinion {
  if (!celLibrary().cel.isCelMap(result)) return abstain();
  const verdict = result.get('result');
  const own = result.get('reason');
  const reason = typeof own === 'string' && own.trim() !== '' ? firstCodePoints(own, reasonCharsMax) : (given ?? 'The expression of this policy says so.');
  switch (typeof verdict === 'string' ? verdict.toUpperCase() : '') {
    case 'DENY':
      return deny(reason);
    case 'ASK':
      return ask(reason);
    case 'ALLOW':
      return allow();
    default:
      return abstain();
  }
}

/** It may be made of what the event holds. */
const reasonCharsMax = 1000;
