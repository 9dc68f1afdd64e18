import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeViolations } from '../support/browser/axe-violations.ts';
import { furnish, type Furnished } from '../support/browser/furnish.ts';
import { openBrowser, openPage } from '../support/browser/open-browser.ts';
import { startTestServer, type TestServer } from '../support/start-server.ts';

let browser: Browser;
let server: TestServer;
let furnished: Furnished;

beforeAll(async () => {
  [browser, server] = await Promise.all([openBrowser(), startTestServer()]);
  furnished = await furnish(server);
});
afterAll(async () => {
  await browser.close();
  await server.remove();
});

async function open(path: string, colorScheme: 'light' | 'dark' = 'light') {
  const page = await openPage(browser, { colorScheme });
  await page.goto(server.baseUrl + path);
  await page.locator('h1').first().waitFor();
  await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0);
  return page;
}

const paths = [
  ['the inbox', () => '/'],
  ['an ask of a shell', () => `/elicitations/${furnished.asks.shell}`],
  ['an ask of an edit', () => `/elicitations/${furnished.asks.edit}`],
  ['an ask that is not there', () => '/elicitations/elc_00000000000000000000000000'],
  ['the sessions', () => '/sessions'],
  ['a session', () => `/sessions/${furnished.sessionId}`],
  ['the policies', () => '/policies'],
  ['a policy', () => `/policies/${furnished.policyId}`],
  ['the audit log', () => '/audit'],
  ['the overview', () => '/overview'],
] as const;

describe.each(paths)('%s', (_, path) => {
  it('has no violation that axe-core knows, in light and dark, and no script fails', { timeout: 120_000 }, async () => {
    for (const scheme of ['light', 'dark'] as const) {
      const page = await open(path(), scheme);
      expect(await axeViolations(page)).toEqual([]);
      expect(page.faults).toEqual([]);
      await page.context().close();
    }
  });
});

describe('an ask of a shell', () => {
  it('is shown with the commands that it would run, out of what holds them', async () => {
    const page = await open(`/elicitations/${furnished.asks.shell}`);
    const commands = page.getByRole('region', { name: 'What this would run' }).getByRole('listitem');
    await expect.poll(() => commands.allInnerTexts().then((texts) => texts.join('\n'))).toMatch(/npm version minor[\s\S]*git push origin main --tags[\s\S]*curl -fsSL/);
  });
});

describe('an ask of an edit', () => {
  it('shows the change line by line', async () => {
    const page = await open(`/elicitations/${furnished.asks.edit}`);
    await page.locator('.added', { hasText: '## 2.4.0' }).waitFor();
  });
});

describe('a policy', () => {
  it('is made with a form that its handler describes, tried, turned off and deleted', async () => {
    const page = await open(`/policies?session=${furnished.sessionId}`);
    await page.getByRole('button', { name: 'New policy' }).click();
    await page.getByLabel('Handler').selectOption('safety.max_tool_calls_per_session');
    await page.getByLabel('Name').fill('few calls');
    await page.getByLabel('limit').fill('1.5');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.locator('#params .problem', { hasText: 'must be a whole number' }).waitFor();
    await page.getByLabel('limit').fill('7');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('link', { name: 'few calls' }).click();
    await page.getByRole('heading', { name: 'few calls' }).waitFor();
    await page.getByRole('button', { name: 'Try' }).click();
    await page.getByText('ALLOW', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Disable' }).click();
    await page.getByRole('button', { name: 'Enable' }).waitFor();
    await page.getByRole('button', { name: 'Delete …' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('heading', { name: 'Policies', exact: true }).waitFor();
    expect(page.faults).toEqual([]);
  });

  it('whose expression is wrong says where while it is typed', async () => {
    const page = await open('/policies');
    await page.getByRole('button', { name: 'New policy' }).click();
    await page.getByLabel('Handler').selectOption('cel.cel_policy');
    await page.getByLabel('expression').fill('event.type ==');
    await page.locator('#params .problem', { hasText: 'Line 1, column 14' }).waitFor();
  });
});

describe('the page', () => {
  it('is served with a strict policy, and decides nothing by a GET', async () => {
    const response = await fetch(`${server.baseUrl}/elicitations/${furnished.asks.edit}?action=ACCEPT`);
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'.*frame-ancestors 'none'/);
    expect(response.headers.get('content-security-policy')).not.toContain('unsafe');
    const [, asset = ''] = /src="(\/assets\/[^"]+)"/.exec(await response.text()) ?? [];
    const script = await fetch(server.baseUrl + asset);
    expect([script.status, script.headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);
    expect((await fetch(server.baseUrl, { method: 'POST' })).status).toBe(405);
    expect((await fetch(`${server.baseUrl}/assets/..%2f..%2fpackage.json`)).status).toBe(404);
  });
});
