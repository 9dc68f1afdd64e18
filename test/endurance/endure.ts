import { setTimeout } from 'node:timers/promises';
import { askServer } from '../crash/ask-server.ts';
import { createAgent } from '../crash/documents.ts';
import { createRandom } from '../crash/random.ts';
import { act } from './agents.ts';
import { approve, approversCount } from './approvers.ts';
import type { World } from './ask-fleet.ts';
import { disturb } from './chaos.ts';
import { graceSeconds, startFleet, type Fleet } from './fleet.ts';
import { follow } from './followers.ts';
import { usedMegabytes } from './footprint.ts';
import { brokenCounts, brokenFates, brokenStays } from './laws.ts';
import { Ledger, type Reading } from './ledger.ts';
import { brokenReadings } from './readings.ts';
import { brokenRest } from './rest.ts';
import { countHeld, readCalls } from './stored.ts';
import { watch } from './watchers.ts';

export interface Endurance {
  readonly seed: number;
  readonly seconds: number;
  /** Called once a minute. */
  readonly report: (line: string) => void;
}

export interface Endured {
  /** What happened, for people. */
  readonly figures: string;
  /** Each breach of a law. */
  readonly broken: readonly string[];
}

const lanesCount = 20;
const followedLanes = 3;
const overdueSeconds = 5;
/** The last part of the run, in which nothing is disturbed: what comes then must be seen by everybody. */
const calmSeconds = 30;
const recoverySeconds = 12;
/** What may take this long once nobody begins anything. */
const settlingSeconds = 90;

/** Two servers on one PostgreSQL with agents, approvers and watchers for that long, while one thing after another is done to servers and database. Rejects where they cannot go on. */
export async function endure({ seed, seconds, report }: Endurance): Promise<Endured> {
  const fleet = await startFleet();
  try {
    return await run(fleet, { seed, seconds, report });
  } finally {
    await fleet.remove();
  }
}

async function run(fleet: Fleet, { seed, seconds, report }: Endurance): Promise<Endured> {
  const ledger = new Ledger();
  const startedAt = Date.now();
  const secondsGone = () => (Date.now() - startedAt) / 1000;
  const ending = new AbortController();
  const over = new AbortController();
  const world: World = { fleet, ledger, random: createRandom(seed), isEnding: () => ending.signal.aborted };
  const failure = Promise.withResolvers<never>();
  failure.promise.catch(() => undefined); // whoever awaits it sees the failure
  const begin = <T>(work: Promise<T>): Promise<T> => (work.catch(failure.reject), work);
  const unlessFailed = <T>(work: Promise<T>): Promise<T> => Promise.race([work, failure.promise]);

  const agents = { calm: await agentOf(fleet, { name: 'calm' }), hasty: await agentOf(fleet, { name: 'hasty', askTimeoutSeconds: overdueSeconds }) };
  const readings: Promise<Reading>[] = [];
  const watching = [
    ...Array.from({ length: approversCount }, (_, index) => begin(approve(world, index, over.signal))),
    ...(['red', 'blue', 'root'] as const).map((as) => begin(watch(world, { name: `watcher ${as}`, as }, over.signal))),
  ];
  const lanes = Array.from({ length: lanesCount }, (_, index) => {
    const began = (sessionId: string) => void readings.push(begin(follow(world, sessionId, { until: over.signal })));
    return begin(act(world, { index, agents, began }, { endsLast: index < followedLanes }));
  });
  const quarter = seconds / 4;
  const chaos = begin(disturb(world, { until: AbortSignal.timeout(Math.max(0, seconds - calmSeconds) * 1000), isSpared: ({ name }) => name === 'elder' && secondsGone() > quarter - 5 }));

  let firstMegabytes = Infinity;
  const measuring = begin(
    setTimeout(quarter * 1000, null, { signal: over.signal }).then(async () => {
      await settledElder();
      firstMegabytes = await usedMegabytes(fleet.elder.program, fleet.tokens.root);
    }),
  );
  /** It may be about to start for the last time. */
  const settledElder = async () => {
    while (fleet.elder.program.pid() === null) await setTimeout(200);
    await setTimeout(3000);
  };
  const reporter = setInterval(() => report(`${Math.round(secondsGone())} s: ${figuresOf(ledger)}`), 60_000);
  try {
    await unlessFailed(chaos);
    const calmFrom = Date.now();
    await unlessFailed(setTimeout(Math.max(0, seconds - secondsGone()) * 1000));
    ending.abort();
    await unlessFailed(within({ seconds: settlingSeconds, complaint: () => `agents have no answer to ${open(ledger)}` }, Promise.all(lanes)));
    ledger.readings.push(...(await unlessFailed(within({ seconds: settlingSeconds, complaint: () => 'readers have not read all' }, Promise.all(readings)))));
    await unlessFailed(within({ seconds: graceSeconds + settlingSeconds, complaint: () => 'what was left is not abandoned' }, nothingHeld(fleet)));
    const end = Date.now();
    over.abort();
    await unlessFailed(within({ seconds: settlingSeconds, complaint: () => 'approvers have no answer' }, Promise.all([...watching, measuring])));
    const stored = await readCalls(fleet);
    const rest = await brokenRest(fleet, { firstMegabytes });
    if (ledger.lastFailureAt > calmFrom + recoverySeconds * 1000) ledger.broken.push(`somebody had to try again ${Math.round((ledger.lastFailureAt - calmFrom) / 1000)} s after the last disturbance`);
    const broken = [...ledger.broken, ...brokenFates(ledger, stored), ...brokenStays(ledger, stored, { calmFrom, end }), ...(await brokenCounts(fleet, stored)), ...(await brokenReadings(world)), ...rest.broken];
    return { figures: `${figuresOf(ledger)}; ${stored.length} evaluations stored; ${rest.figures}`, broken };
  } finally {
    clearInterval(reporter);
    ending.abort();
    over.abort();
  }
}

async function agentOf({ elder, tokens }: Fleet, input: object): Promise<string> {
  return (await askServer(elder.program.url, createAgent, { token: tokens.root, input })).id;
}

async function nothingHeld(fleet: Fleet): Promise<void> {
  while ((await countHeld(fleet)) > 0) await setTimeout(1000);
}

/** Rejects where it takes longer. */
async function within<T>({ seconds, complaint }: { readonly seconds: number; readonly complaint: () => string }, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = globalThis.setTimeout(() => late.reject(new Error(`After ${seconds} s ${complaint()}.`)), seconds * 1000);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

function open({ calls }: Ledger): string {
  return [...calls.values()].filter(({ intent, told }) => told.length === 0 && !['left', 'waiting', 'deserted'].includes(intent)).map(({ key }) => key).join(', ');
}

function figuresOf({ calls, resolved, stays, disturbances, failures, waits, broken }: Ledger): string {
  const list = (counts: ReadonlyMap<string, number>) => [...counts].map(([what, count]) => `${what} ${count}`).join(', ');
  const slowest = waits.reduce((most, wait) => Math.max(most, wait), 0);
  return `${calls.size} calls, ${resolved.length} decisions, ${stays.length} watching connections, slowest answer ${Math.round(slowest)} ms after its decision; disturbed by: ${list(disturbances)}; tried again after: ${list(failures)}; ${broken.length} breaches so far`;
}
