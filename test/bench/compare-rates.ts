import type { BenchClient } from './client.ts';
import { evaluate } from './documents.ts';
import { median } from './figures.ts';

export const concurrency = 16;

const rounds = 7;
const roundMilliseconds = 1500;

/** A client, and what it evaluates: an event that is allowed. */
export interface Lane {
  readonly client: BenchClient;
  readonly variables: object;
}

/** Allowed calls a second on both, in turn, so that what else the machine does strikes both; the ratio is the median of the rounds'. */
export async function compareRates(ours: Lane, theirs: Lane): Promise<{ ratio: number; ours: number; theirs: number }> {
  await rate(ours);
  await rate(theirs);
  const pairs: { ours: number; theirs: number }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const isOursFirst = round % 2 === 0;
    const first = await rate(isOursFirst ? ours : theirs);
    const second = await rate(isOursFirst ? theirs : ours);
    pairs.push(isOursFirst ? { ours: first, theirs: second } : { ours: second, theirs: first });
  }
  return { ratio: median(pairs.map((pair) => pair.ours / pair.theirs)), ours: median(pairs.map((pair) => pair.ours)), theirs: median(pairs.map((pair) => pair.theirs)) };
}

async function rate({ client, variables }: Lane): Promise<number> {
  let calls = 0;
  const until = performance.now() + roundMilliseconds;
  const loop = async () => {
    while (performance.now() < until) {
      const { verdict } = await client.call<{ verdict: string }>(evaluate, variables);
      if (verdict !== 'ALLOW') throw new Error(`The verdict is ${verdict}.`);
      calls += 1;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, loop));
  return calls / (roundMilliseconds / 1000);
}
