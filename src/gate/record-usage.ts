import { isDeepStrictEqual } from 'node:util';
import { UniqueConstraintViolationException } from '@mikro-orm/core';
import { z } from 'zod';
import { dayOf } from '../entities/daily-cost.entity.ts';
import { insertRows, type Tables } from '../entities/rows.ts';
import { lineageOf, type Session } from '../entities/session.entity.ts';
import { UsageReportSchema } from '../entities/usage-report.entity.ts';
import { find } from './find.ts';
import type { Gate } from './gate.ts';
import { parse, shortText } from './input.ts';
import { conflict, notFound, type Conflict, type InvalidInput, type NotFound } from './outcome.ts';
import { addDailyCost, addUsage, type UsageDelta } from './usage-rows.ts';

const deltaMax = Number.MAX_SAFE_INTEGER;
const tooMuch = 'must be at most 9,007,199,254,740,991';

const amount = z.number('must be a number').min(0, 'must not be negative').max(deltaMax, tooMuch).transform((given) => given + 0); // -0 is 0

const tokens = amount.refine(Number.isInteger, 'must be a whole number').nullish();

const fields = z.object({
  idempotencyKey: shortText.nullish(),
  inputTokens: tokens,
  outputTokens: tokens,
  totalTokens: tokens,
  cacheReadInputTokens: tokens,
  cacheCreationInputTokens: tokens,
  costUsd: amount.nullish(),
});

/** All deltas. Omitted or null: nothing to add; `totalTokens`: the sum of input and output; `costUsd`: the tokens are not priced. */
export type RecordUsageInput = z.input<typeof fields> & { readonly sessionId: string };

/**
 * Adds to what a session, its ancestors and its owner's day have used, for the cost policies to see from the next event on. An ended session
 * takes reports, too: what it spent before its end is often known only after it.
 */
export async function recordUsage(gate: Gate, input: RecordUsageInput): Promise<{ kind: 'recorded'; session: Session } | InvalidInput | NotFound | Conflict> {
  const parsed = parse(fields, input);
  if (parsed.kind === 'invalidInput') return parsed;
  const id = input.sessionId;
  const session = await find.session(gate, id);
  if (!session) return notFound('session', id);
  const { idempotencyKey, ...given } = parsed.value;
  const report: Report = { session, delta: deltaOf(given), idempotencyKey: idempotencyKey ?? null, at: gate.now() };
  if ((await add(gate, report)) === 'keyUsed' && !(await isKnown(gate, report))) {
    return conflict('This idempotency key stands for another report of the session: nothing was recorded.');
  }
  return { kind: 'recorded', session };
}

interface Report {
  readonly session: Session;
  readonly delta: UsageDelta;
  readonly idempotencyKey: string | null;
  readonly at: Date;
}

type Given = { readonly [Name in Exclude<keyof z.output<typeof fields>, 'idempotencyKey'>]: number | null | undefined };

function deltaOf({ inputTokens, outputTokens, totalTokens, cacheReadInputTokens, cacheCreationInputTokens, costUsd }: Partial<Given>): UsageDelta {
  const [input, output] = [inputTokens ?? 0, outputTokens ?? 0];
  return {
    inputTokens: input,
    outputTokens: output,
    totalTokens: totalTokens ?? input + output,
    cacheReadInputTokens: cacheReadInputTokens ?? 0,
    cacheCreationInputTokens: cacheCreationInputTokens ?? 0,
    costUsd: costUsd ?? null,
  };
}

/** All of it or nothing. Rows are only added to, each in the statement that reads it, so reports that come together lose nothing. */
async function add({ em }: Gate, { session, delta, idempotencyKey, at }: Report): Promise<'added' | 'keyUsed'> {
  try {
    await em.getKysely<Tables>().transaction().execute(async (on) => {
      if (idempotencyKey !== null) await insertRows({ em, on }, UsageReportSchema, [{ session: session.id, idempotencyKey, ...delta, createdAt: at }]);
      await addUsage(lineageOf(session), delta, on);
      if (delta.costUsd !== null) await addDailyCost(session.owner, { day: dayOf(at), costUsd: delta.costUsd }, on);
    });
    return 'added';
  } catch (error) {
    if (error instanceof UniqueConstraintViolationException) return 'keyUsed';
    throw error;
  }
}

/** Whether the report that the key stands for says the same. */
async function isKnown({ em }: Gate, { session, idempotencyKey, delta }: Report): Promise<boolean> {
  const known = await em.findOneOrFail(UsageReportSchema, { session: session.id, idempotencyKey });
  return isDeepStrictEqual(delta, deltaOf(known));
}
