import { openClient } from './client.ts';
import { evaluate } from './documents.ts';
import { median, type Row } from './figures.ts';
import type { ServerProcess } from './server-process.ts';
import { allowedCall, setUpSession } from './setup.ts';

const concurrency = 16;
const rounds = 7;
const roundMilliseconds = 1500;

/** Both servers in turn, so that what else the machine does strikes both; the median of the rounds' ratios. */
export async function allowOverHttp(countersign: ServerProcess, bareYoga: ServerProcess): Promise<Row> {
  const [ours, bare] = [openClient(countersign.url, concurrency), openClient(bareYoga.url, concurrency)];
  const variables = allowedCall(await setUpSession(ours));
  const rate = async (client: typeof ours) => {
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
  };
  await rate(ours);
  await rate(bare);
  const pairs: { ours: number; bare: number }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    pairs.push(round % 2 === 0 ? { ours: await rate(ours), bare: await rate(bare) } : await reversed(rate, { ours, bare }));
  }
  await Promise.all([ours.close(), bare.close()]);
  const ratio = median(pairs.map((pair) => pair.ours / pair.bare));
  const figure = `${ratio.toFixed(2)} (${median(pairs.map((pair) => pair.ours)).toFixed(0)} of ${median(pairs.map((pair) => pair.bare)).toFixed(0)} calls/s)`;
  return { what: 'ALLOW over HTTP, 3 policies, durable, against bare Yoga', figure, bar: '≥ 0.5', held: ratio >= 0.5 };
}

async function reversed<Client>(rate: (client: Client) => Promise<number>, { ours, bare }: { ours: Client; bare: Client }): Promise<{ ours: number; bare: number }> {
  const bareRate = await rate(bare);
  return { ours: await rate(ours), bare: bareRate };
}
