import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { gzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { createServer as createVite, type ViteDevServer } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeViolations } from '../support/browser/axe-violations.ts';
import { startAskingServer, type AskingServer } from '../support/browser/asking-server.ts';
import { openBrowser, openPage } from '../support/browser/open-browser.ts';
import { ElicitationSchema } from '../../src/entities/elicitation.entity.ts';

const root = path.join(import.meta.dirname, '../..');
let browser: Browser;
let asking: AskingServer;
let site: ChildProcess;
let siteUrl: string;
let vite: ViteDevServer;
let reactUrl: string;

beforeAll(async () => {
  browser = await openBrowser();
  site = spawn(process.execPath, [path.join(root, 'examples/widget-in-a-page/serve.ts'), '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  if (!site.stdout) throw new Error('The example prints nowhere.');
  [siteUrl] = (await once(createInterface(site.stdout), 'line')) as [string];
  vite = await createVite({ root: path.join(root, 'examples/widget-in-react'), configFile: false, server: { port: 0, host: '127.0.0.1' }, cacheDir: path.join(root, '.cache/vite'), logLevel: 'error' });
  await vite.listen();
  reactUrl = vite.resolvedUrls?.local[0] ?? '';
  asking = await startAskingServer({ allowedOrigins: [siteUrl, new URL(reactUrl).origin] });
}, 120_000);
afterAll(async () => {
  await browser.close();
  site.kill();
  await vite.close();
  await asking.server.remove();
});

async function stored(id: string) {
  return asking.server.openGate().em.findOneOrFail(ElicitationSchema, { id } as never);
}

it('weighs at most 60 kB, compressed, with all that it needs', async () => {
  const bundle = await readFile(path.join(root, 'dist/widget/index.js'));
  expect(bundle.toString()).not.toMatch(/^import\b|from\s*"[^"]+";/);
  expect(gzipSync(bundle, { level: 9 }).byteLength).toBeLessThanOrEqual(60_000);
});

describe('in a page of another site, under a strict content policy', () => {
  it('shows what waits, decides it, tells the page, and has no violation that axe-core knows', async () => {
    const page = await openPage(browser, { colorScheme: 'dark' });
    const id = await asking.ask({ command: 'refund order 12' });
    await page.goto(`${siteUrl}/?url=${asking.server.url}`);
    const card = page.getByRole('listitem').filter({ hasText: 'refund order 12' });
    await card.first().waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await card.getByRole('button', { name: 'Accept' }).click();
    await page.locator('#last', { hasText: 'Local user: accepted' }).waitFor();
    expect((await stored(id)).action).toBe('ACCEPT');
    expect(page.faults).toEqual([]);
  });

  it('speaks German, from right to left where the page does, and shows one ask in full', async () => {
    const page = await openPage(browser);
    const id = await asking.ask({ command: 'echo hallo' });
    await page.goto(`${siteUrl}/?url=${asking.server.url}`);
    await page.evaluate(`{
      document.documentElement.lang = 'de';
      document.documentElement.dir = 'rtl';
      const one = Object.assign(document.createElement('countersign-approval'), { url: '${asking.server.url}', elicitation: '${id}' });
      document.querySelector('countersign-approvals').replaceWith(one);
    }`);
    await page.getByRole('button', { name: 'Annehmen' }).waitFor();
    const [accept, decline] = await Promise.all(['Annehmen', 'Ablehnen'].map((name) => page.getByRole('button', { name }).boundingBox()));
    expect(accept?.x).toBeGreaterThan(decline?.x ?? Infinity);
    await page.getByRole('button', { name: 'Ablehnen' }).click();
    await page.getByText('Abgelehnt von Local user').waitFor();
    expect((await stored(id)).action).toBe('DECLINE');
  });

  it('that is taken out and put back decides and loses nothing', async () => {
    const page = await openPage(browser);
    const id = await asking.ask({ command: 'stay' });
    await page.goto(`${siteUrl}/?url=${asking.server.url}`);
    await page.getByText('stay').first().waitFor();
    await page.evaluate(`{ const element = document.querySelector('countersign-approvals'); element.remove(); document.querySelector('main').append(element); element.remove(); document.querySelector('main').append(element); }`);
    await page.getByText('stay').first().waitFor();
    expect((await stored(id)).action).toBeNull();
    await page.getByRole('listitem').filter({ hasText: 'stay' }).getByRole('button', { name: 'Decline' }).click();
    await expect.poll(async () => (await stored(id)).action).toBe('DECLINE');
    expect(page.faults).toEqual([]);
  });
});

describe('in React, in strict mode', () => {
  it('shows what waits and tells of a decision, once', async () => {
    const page = await openPage(browser);
    await asking.ask({ command: 'from react' });
    await page.goto(`${reactUrl}?url=${asking.server.url}`);
    await page.getByRole('listitem').filter({ hasText: 'from react' }).getByRole('button', { name: 'Accept' }).click();
    await page.locator('#last', { hasText: 'Local user: accepted' }).waitFor();
    expect(page.faults).toEqual([]);
  });
});

describe('with keys', () => {
  it('asks for one by its error event, and takes it as a property', async () => {
    const { token } = await asking.key('APPROVER', 'desk');
    const id = await asking.ask({ command: 'with a key' });
    const page = await openPage(browser);
    page.on('dialog', (dialog) => void dialog.accept(token));
    await page.goto(`${siteUrl}/?url=${asking.server.url}`);
    await page.getByRole('listitem').filter({ hasText: 'with a key' }).getByRole('button', { name: 'Decline' }).click();
    await expect.poll(async () => (await stored(id)).resolvedBy).toMatchObject({ name: 'desk' });
    expect(page.url()).not.toContain(token);
  });
});
