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
    expect(await waiting()).toBe(0);
    expect(seconds).toBeLessThanOrEqual(90);
  });
});

describe('twenty asks a second', () => {
  it('are all painted', { timeout: 120_000 }, async () => {
    const page = await openPage(browser);
    await page.goto(asking.server.baseUrl);
    await page.getByText('Nothing waits for you.').waitFor();
    for (let count = 0; count < 100; count += 1) {
      const next = pause(50);
      await asking.ask({ command: `echo ${count}` });
      await next;
    }
    await page.getByText('echo 99').first().waitFor();
    expect(await page.locator('li[data-key]').count()).toBe(100);
  });
});

describe('the first load', () => {
  it('is at most 250 kB, compressed', async () => {
    const page = await openPage(browser);
    const bodies: Promise<Buffer>[] = [];
    page.on('response', (response) => {
      if (response.url().startsWith('http')) bodies.push(response.body());
    });
    await page.goto(asking.server.baseUrl);
    await page.getByText('Nothing waits for you.').waitFor();
    const bytes = (await Promise.all(bodies)).reduce((sum, body) => sum + gzipSync(body).byteLength, 0);
    expect(bytes).toBeLessThanOrEqual(250_000);
  });
});

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
