import { z } from 'zod';
import { defineHandler } from '../../handler.ts';
import { isJsonList, isJsonObject, type Json } from '../../json.ts';
import { object, objections } from '../../objection.ts';
import { abstain, allow, set, type Effects } from '../../verdict.ts';
import { isFailure } from './failure.ts';

export const detectThrashing = defineHandler({
  name: 'context.detect_thrashing',
  title: 'Notice when tools keep failing',
  description:
    'Objects when the last results of tools were failures: so many in a row, or so many of the last ones. A failure is told by the ' +
    'text of a result or by its error fields. Later results are judged by the same history, which an objection does not clear.',
  phases: ['TOOL_RESULT'],
  needs: ['state'],
  params: z.object({
    consecutive_threshold: z.int().max(1000).default(5).meta({ title: 'Failures in a row', description: 'How many failures in a row are too many. 0 or less: they do not count.' }),
    window: z.int().max(1000).default(10).meta({ title: 'Window', description: 'How many of the last results the rate is taken of. Below 1 counts as 1.' }),
    window_error_rate: z.number().min(0).max(1).default(0.8).meta({ title: 'Failure rate', description: 'Which share of the window is too much, from 0 to 1. 0: the rate does not count.' }),
    // The reference takes any other word for ASK, and so do configurations that were made for it.
    action: z
      .preprocess((value) => (typeof value === 'string' && value.trim().toUpperCase() === 'DENY' ? 'DENY' : 'ASK'), z.enum(objections))
      .default('ASK')
      .meta({ title: 'Objection', description: 'What to do with the result of the call.' }),
  }),
  judge({ event, facts }, { consecutive_threshold: inARow, window: windowGiven, window_error_rate: rate, action }) {
    const failure = event.type === 'tool_result' ? failed(event.data) : null;
    if (failure === null) return abstain();
    const window = Math.max(1, windowGiven);
    const history = [...storedHistory(facts.state[historyKey]), failure ? 1 : 0].slice(-Math.max(window, inARow));
    const effects: Effects = { stateUpdates: [set(historyKey, history)] };
    if (inARow > 0 && history.length >= inARow && history.slice(-inARow).every((item) => item === 1)) {
      return object(action, `The last ${inARow} tool results were failures.`, effects);
    }
    const failures = history.slice(-window).filter((item) => item === 1).length;
    if (rate > 0 && history.length >= window && failures / window >= rate) {
      return object(action, `${failures} of the last ${window} tool results were failures.`, effects);
    }
    return allow(effects);
  },
});

/** The reference's key and form: 1 for a failure, 0 for a success. */
const historyKey = '_thrashing_results';

/** Whether the call failed, by its result or by what the payload says beside it; null where the payload has another form. */
function failed(data: Json | { readonly result: Json }): boolean | null {
  const payload: Json = data;
  if (!isJsonObject(payload)) return null;
  const { result = null, ...about } = payload;
  return isFailure(result) || isFailure(about);
}

/** Anything but a list of integers is no history; then it starts anew. */
function storedHistory(stored: Json | undefined): readonly number[] {
  if (!isJsonList(stored)) return [];
  const numbers = stored.filter((item) => typeof item === 'number' && Number.isInteger(item));
  return numbers.length === stored.length ? (numbers as readonly number[]) : [];
}
