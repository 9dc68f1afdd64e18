import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { openBrowser, openPage } from '../support/browser/open-browser.ts';
import { openClient, type BenchClient } from './client.ts';
import { percentile, type Row } from './figures.ts';
import { startCountersign } from './server-process.ts';
import { setUpSession } from './setup.ts';

/** What an approver feels of the console's speed, in a real Chromium. */
export async function consoleSpeed(directory: string): Promise<Row[]> {
  const server = await startCountersign(path.join(directory, 'console.db'));
  const client = openClient(server.url, 1);
  const browser = await openBrowser();
  try {
    const home = new URL('/', server.url).href;
    return [await firstLoad(browser, home), await painted(browser, { home, client })];
  } finally {
    await browser.close();
    await client.close();
    await server.stop();
  }
}

const loads = 5;

async function firstLoad(browser: Browser, home: string): Promise<Row> {
  const figures: number[] = [];
  for (let load = 0; load < loads; load += 1) {
    const page = await openPage(browser);
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    const startedAt = performance.now();
    await page.goto(home);
    await page.getByText('Nothing waits for you.').waitFor();
    figures.push(performance.now() - startedAt);
    await page.context().close();
  }
  const p50 = percentile(figures, 0.5);
  return { what: 'console: empty cache to a working inbox, processor 4 × slower', figure: `p50 ${p50.toFixed(0)} ms`, bar: '≤ 1000 ms', held: p50 <= 1000 };
}

const cards = 200;
const everyMilliseconds = 50;

const ask = /* GraphQL */ `
  mutation ($input: EvaluatePolicyInput!) {
    evaluatePolicy(input: $input) {
      ... on Evaluation {
        elicitation {
          digest
        }
      }
    }
  }
`;

async function painted(browser: Browser, { home, client }: { readonly home: string; readonly client: BenchClient }): Promise<Row> {
  const sessionId = await setUpSession(client);
  const page = await openPage(browser);
  await page.goto(home);
  await page.getByText('Nothing waits for you.').waitFor();
  // The page's clock is this one: both are of one machine. A card is painted in the frame after it is in the tree.
  await page.evaluate(`{
    window.painted = {};
    const root = document.querySelector('console-app').shadowRoot.querySelector('console-inbox').shadowRoot;
    new MutationObserver(() => requestAnimationFrame(() => {
      for (const card of root.querySelectorAll('li[data-key]')) window.painted[card.dataset.key] ??= Date.now();
    })).observe(root, { childList: true, subtree: true });
  }`);
  const published: { readonly digest: string; readonly at: number }[] = [];
  for (let card = 0; card < cards; card += 1) {
    const next = pause(everyMilliseconds);
    const event = { toolCall: { name: 'Bash', arguments: { command: `echo ${card}` } } };
    const { elicitation } = await client.call<{ elicitation: { digest: string } }>(ask, { input: { sessionId, waitSeconds: 0, event } });
    published.push({ digest: elicitation.digest, at: Date.now() }); // it is published before the call is answered
    await next;
  }
  await page.getByText(`echo ${cards - 1}`).first().waitFor();
  await pause(300);
  const at = await page.evaluate<Record<string, number>>('window.painted');
  const delays = published.map(({ digest, at: since }) => (at[digest] ?? Infinity) - since);
  const p95 = percentile(delays, 0.95);
  return { what: 'console: ask published → card painted, 20 a second', figure: `p50 ${percentile(delays, 0.5)} ms, p95 ${p95} ms`, bar: 'p95 ≤ 150 ms', held: p95 <= 150 };
}
