import fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import { newModel, type Model } from './model.ts';
import { steps, type Place } from './steps.ts';
import { World } from './world.ts';

const stepsMax = 40;

/** Of the environment, as JSON: `seed`, `path` and `replayPath` play a failed run again; `numRuns` (with another `seed`) explores. */
const { replayPath, ...asked } = JSON.parse(process.env['SIMULATION'] ?? '{}') as { seed?: number; path?: string; replayPath?: string; numRuns?: number };

/** A database for each run takes its time there; what a run brings about is the same. */
const isSlow = inject('postgres') !== undefined;

/** What a hundred runs must have met, or they prove little. */
const everything = [
  'judged: DECIDED ALLOW POLICY',
  'judged: DECIDED DENY POLICY',
  'judged: DECIDED DENY FAILURE',
  'asked: AWAITING_APPROVAL ASK null',
  'asked: DECIDED ALLOW PERSON',
  'asked: DECIDED ALLOW PERSON, edited',
  'asked: DECIDED ALLOW POLICY', // another's accept has settled it
  'asked: DECIDED DENY PERSON',
  'asked: DECIDED DENY POLICY',
  'asked: DECIDED DENY FAILURE', // accepted, but what was withheld does not fit any more
  'asked: DECIDED DENY EXPIRY',
  'asked: DECIDED DENY CANCELLATION',
  'asked: ABANDONED DENY CANCELLATION',
  'shared',
  'resolved',
  'alreadyResolved',
  'staleElicitation',
  'editRefused',
  'forbidden',
  'conflict',
  'idempotencyKeyReused',
];

function fatesIn({ evaluations, elicitations, callers }: Model): string[] {
  return [
    ...evaluations.map(({ elicitation, status, verdict, decidedBy, data }) => `${elicitation === null ? 'judged' : 'asked'}: ${status} ${verdict} ${decidedBy}${data === null ? '' : ', edited'}`),
    ...elicitations.flatMap(({ tag }) => (evaluations.filter(({ elicitation }) => elicitation === tag).length > 1 ? ['shared'] : [])),
    ...callers.map(({ state }) => state.split(' ')[0] ?? ''),
  ];
}

describe('the gate, simulated', () => {
  it(
    'is after every step what the model says, whatever is asked, answered, left, overdue, withdrawn, ended, changed or restarted',
    async () => {
      const met = new Set<string>();
      const runs = fc.asyncProperty(fc.commands(steps, { maxCommands: stepsMax, size: 'max', ...(replayPath === undefined ? {} : { replayPath }) }), async (commands) => {
        const world = await World.open();
        const place: Place = { model: newModel(), acts: 0, met };
        try {
          await fc.asyncModelRun(() => ({ model: place, real: world }), commands);
          for (const fate of fatesIn(place.model)) met.add(fate);
        } finally {
          await world.close();
        }
      });
      const result = await fc.check(runs, { seed: 20_260_801, numRuns: isSlow ? 30 : 100, endOnFailure: asked.path !== undefined, ...asked });
      if (result.failed) throw new Error(`${await fc.asyncDefaultReportMessage(result)}\n\nPlay it again: ${replayOf(result)}`, { cause: result.errorInstance });
      if (asked.seed === undefined && !isSlow) expect(everything.filter((fate) => !met.has(fate))).toEqual([]);
    },
    asked.numRuns === undefined ? 300_000 : 0,
  );
});

/** The command that plays the shrunk counterexample again. */
function replayOf({ seed, counterexample, counterexamplePath: path }: { seed: number; counterexample: unknown; counterexamplePath: string | null }): string {
  const failed = /replayPath="(.*)"/.exec(fc.stringify(counterexample))?.[1];
  return `SIMULATION='${JSON.stringify({ seed, path, replayPath: failed })}' npm test -- test/simulation`;
}
