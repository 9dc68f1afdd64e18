import { gzipSync } from 'node:zlib';
import { setTimeout as pause } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startAskingServer, type AskingServer } from '../support/browser/asking-server.ts';
import { axeViolations } from '../support/browser/axe-violations.ts';
import { openBrowser, openPage } from '../support/browser/open-browser.ts';
import { ElicitationSchema } from '../../src/entities/elicitation.entity.ts';

let browser: Browser;
let asking: AskingServer;

beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());
beforeEach(async () => {
  asking = await startAskingServer();
});
afterEach(() => asking.server.remove());

const waiting = () => asking.server.openGate().em.count(ElicitationSchema, { action: null });

describe('a hundred asks, sixty of them of six kinds', () => {
  it('are cleared by keys alone, at a person’s speed, within ninety seconds', { timeout: 180_000 }, async () => {
    for (let count = 0; count < 60; count += 1) await asking.ask({ command: `npm run task-${count % 6}` });
    for (let count = 0; count < 40; count += 1) await asking.ask({ command: `deploy service ${count}` });
    const page = await openPage(browser);
    await page.goto(asking.server.baseUrl);
    await page.getByText('deploy service 39').waitFor();
    const startedAt = performance.now();
    await page.keyboard.press('j');
    while ((await waiting()) > 0 && performance.now() - startedAt < 120_000) {
      await pause(250);
      await page.keyboard.press('a');
    }
    const seconds = (performance.now() - startedAt) / 1000;
    console.log(`100 asks cleared in ${seconds.toFixed(1)} s`);
    expect(await waiting()).toBe(0);
    expect(seconds).toBeLessThanOrEqual(90);
  });
});

describe('twenty asks a second', () => {
  it('are each painted soon after they are published', { timeout: 120_000 }, async () => {
    const page = await openPage(browser);
    await page.goto(asking.server.baseUrl);
    await page.getByText('Nothing waits for you.').waitFor();
    // The page's own clock is the test's: both are of one machine. A card is painted in the frame after it is in the tree.
    await page.evaluate(`{
      window.painted = {};
      const root = document.querySelector('console-app').shadowRoot.querySelector('console-inbox').shadowRoot;
      new MutationObserver(() => requestAnimationFrame(() => {
        for (const card of root.querySelectorAll('li[data-key]')) window.painted[card.dataset.key] ??= Date.now();
      })).observe(root, { childList: true, subtree: true });
    }`);
    const asked: { readonly id: string; readonly at: number }[] = [];
    for (let count = 0; count < 100; count += 1) {
      const next = pause(50);
      const id = await asking.ask({ command: `echo ${count}` });
      asked.push({ id, at: Date.now() });
      await next;
    }
    await page.getByText('echo 99').waitFor();
    await pause(300);
    const painted = await page.evaluate<Record<string, number>>('window.painted');
    const em = asking.server.openGate().em;
    const delays: number[] = [];
    for (const { id, at } of asked) {
      const { digest } = await em.findOneOrFail(ElicitationSchema, { id } as never);
      delays.push((painted[digest] ?? Infinity) - at);
    }
    const p95 = delays.toSorted((a, b) => a - b)[Math.floor(delays.length * 0.95)] ?? Infinity;
    console.log(`painted after p50 ${delays.toSorted((a, b) => a - b)[50]} ms, p95 ${p95} ms`);
    expect(p95).toBeLessThanOrEqual(150 * slowdown);
  });
});

describe('the first load', () => {
  it('is at most 250 kB, compressed, and soon ready on a slow machine', async () => {
    const page = await openPage(browser);
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    const bodies: Promise<Buffer>[] = [];
    page.on('response', (response) => {
      if (response.url().startsWith('http')) bodies.push(response.body());
    });
    const startedAt = performance.now();
    await page.goto(asking.server.baseUrl);
    await page.getByText('Nothing waits for you.').waitFor();
    const milliseconds = performance.now() - startedAt;
    const bytes = (await Promise.all(bodies)).reduce((sum, body) => sum + gzipSync(body).byteLength, 0);
    console.log(`first load: ${Math.round(bytes / 1000)} kB, interactive after ${Math.round(milliseconds)} ms`);
    expect(bytes).toBeLessThanOrEqual(250_000);
    expect(milliseconds).toBeLessThanOrEqual(1000 * slowdown);
  });
});

/** Other tests run on the machine at the same time. These bounds tell what is broken from what is slow; the bars themselves (150 ms, 1 s) are read off what is printed, on a machine of one's own. */
const slowdown = 20;

describe('hostile content', () => {
  it('is text, all of it to be seen, and runs nothing', async () => {
    await asking.server.remove();
    asking = await startAskingServer({}, '<img src=x onerror=alert(1)>');
    const page = await openPage(browser);
    page.on('dialog', () => page.faults.push('a dialog was opened'));
    await asking.ask({ command: '<script>alert(1)</script>', '<b>name</b>': '\u202Egnp.exe\u200B' }, { tool: 'Bash<svg onload=alert(1)>' });
    await asking.ask({ command: `echo ok${' '.repeat(2000)}; rm -rf /` });
    await page.goto(asking.server.baseUrl);
    const shown = page.getByRole('list', { name: 'What waits for a decision' });
    await shown.getByText('rm -rf /').first().waitFor();
    for (const part of ['<script>alert(1)</script>', '\\u{202e}', '\\u{200b}', '⟨2000 blanks⟩', '<b>name</b>', 'onerror=alert(1)']) await shown.getByText(part).first().waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole('link', { name: 'Details' }).first().click();
    await page.getByRole('heading', { name: 'An agent asks' }).waitFor();
    expect(await page.locator('img, script[src=x]').count()).toBe(0);
    expect(page.faults).toEqual([]);
  });
});

describe('two hundred asks at once', () => {
  it('are all there, and the last one can be decided', { timeout: 120_000 }, async () => {
    for (let count = 0; count < 200; count += 1) await asking.ask({ command: `step ${count}` });
    const page = await openPage(browser);
    await page.goto(asking.server.baseUrl);
    await page.locator('.count', { hasText: '200' }).waitFor({ timeout: 60_000 });
    expect(await page.locator('li[data-key]').count()).toBe(200);
    await page.keyboard.press('k');
    await page.keyboard.press('d');
    await page.getByText(/✕ Declined by/).waitFor();
    expect(await waiting()).toBe(199);
  });
});
