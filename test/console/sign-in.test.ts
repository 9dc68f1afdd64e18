import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { violationsAtEachWidth } from '../support/browser/axe-violations.ts';
import { startAskingServer, type AskingServer } from '../support/browser/asking-server.ts';
import { openBrowser, openPage } from '../support/browser/open-browser.ts';
import { startTestServer } from '../support/start-server.ts';
import { ElicitationSchema } from '../../src/entities/elicitation.entity.ts';
import { revokeApiKey } from '../../src/gate/revoke-api-key.ts';

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

async function open(path = '/') {
  const page = await openPage(browser);
  await page.goto(asking.server.baseUrl + path);
  return page;
}

async function signIn(page: Page, token: string): Promise<void> {
  await page.getByLabel('Key', { exact: true }).fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** What the tab keeps of a key. */
const kept = (page: Page) => page.evaluate<string>('JSON.stringify({ ...sessionStorage, ...localStorage }) + document.cookie + location.href');

describe('a key that is right', () => {
  it('lets in to the page that was asked for, is kept for a reload and by this tab alone, and is forgotten at sign-out', async () => {
    const { token } = await asking.key('APPROVER', 'desk');
    const page = await open('/sessions');
    await signIn(page, token);
    await page.getByRole('heading', { name: 'Sessions' }).waitFor();
    await page.getByText('desk · approver').waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Sessions' }).waitFor();
    const other = await page.context().newPage();
    await other.goto(asking.server.baseUrl);
    await other.getByRole('heading', { name: 'Sign in to Countersign' }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Key', { exact: true }).waitFor();
    expect(await page.getByLabel('Key', { exact: true }).inputValue()).toBe('');
    expect(await kept(page)).not.toContain(token);
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in to Countersign' }).waitFor();
    expect(page.faults).toEqual([]);
  });
});

describe('a key that is wrong', () => {
  it('is refused with the reason beside the field, is not kept, and another one can be given', async () => {
    const { token } = await asking.key('APPROVER', 'desk');
    const page = await open();
    await signIn(page, `${token}x`);
    await page.getByRole('alert').filter({ hasText: 'The server does not know this key, or it is revoked.' }).waitFor();
    const field = page.getByLabel('Key', { exact: true });
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    expect(await kept(page)).not.toContain(token);
    expect(await page.locator('#key:focus').count()).toBe(1);
    expect(await violationsAtEachWidth(page)).toEqual([]);
    await signIn(page, token);
    await page.getByRole('heading', { name: 'Inbox' }).waitFor();
  });

  it('that no header can carry is refused in the same way', async () => {
    await asking.key('APPROVER', 'desk');
    const page = await open();
    await signIn(page, 'схема — kein Schlüssel');
    await page.getByRole('alert').filter({ hasText: 'The server does not know this key, or it is revoked.' }).waitFor();
    expect(page.faults).toEqual([]);
  });
});

describe('an address that many wrong keys came from', () => {
  it('is told so and until when; a right key is not called wrong', async () => {
    await asking.server.remove();
    asking = await startAskingServer({ limits: { failedLoginsPerAddress: 3, failedLoginsWindowSeconds: 4 } });
    const { token } = await asking.key('APPROVER', 'desk');
    const page = await open();
    for (let count = 0; count < 3; count += 1) await fetch(asking.server.url, { method: 'POST', headers: { 'content-type': 'application/json', authorization: 'Bearer wrong' }, body: '{"query":"{ viewer { id } }"}' });
    await signIn(page, token);
    await page.getByRole('alert').filter({ hasText: 'Too many failed logins: try again in' }).waitFor();
    expect(await violationsAtEachWidth(page)).toEqual([]);
    await pause(4000);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('desk · approver').waitFor();
  });
});

describe('a server that is away at sign-in', () => {
  it('is not called a wrong key, and the key is still there to try again', async () => {
    const { token } = await asking.key('APPROVER', 'desk');
    const page = await open();
    await page.getByLabel('Key', { exact: true }).waitFor();
    const { config, close, databaseFile, baseUrl } = asking.server;
    await close();
    await signIn(page, token);
    await page.getByRole('button', { name: 'Checking …' }).waitFor();
    const again = await startTestServer({ ...config, port: Number(new URL(baseUrl).port), database: `sqlite:${databaseFile}` });
    await page.getByText('desk · approver').waitFor();
    await again.close();
  });
});

describe('a key that is revoked while its page is open', () => {
  it('takes everything from the page within seconds, and says why', async () => {
    const { id, token } = await asking.key('APPROVER', 'desk');
    await asking.ask({ command: 'git push --force' });
    const page = await open();
    await signIn(page, token);
    await page.getByText('git push --force').waitFor();
    await revokeApiKey(asking.server.openGate(), { keyId: id });
    await page.getByRole('alert').filter({ hasText: 'This key is not valid any more.' }).waitFor();
    expect(await page.getByText('git push --force').count()).toBe(0);
    expect(await kept(page)).not.toContain(token);
    expect(await page.title()).toBe('Sign in · Countersign');
    expect(page.faults).toEqual([]);
  });

  it('is noticed on a page that watches nothing, too', async () => {
    const { id, token } = await asking.key('ADMIN', 'root');
    const page = await open('/audit');
    await signIn(page, token);
    await page.getByRole('heading', { name: 'Audit' }).waitFor();
    await revokeApiKey(asking.server.openGate(), { keyId: id });
    await page.getByRole('alert').filter({ hasText: 'This key is not valid any more.' }).waitFor();
  });
});

describe('the first key of a server whose page is open', () => {
  it('ends the local user, who is asked for one', async () => {
    const page = await open();
    await page.getByText('Nothing waits for you.').waitFor();
    await asking.key('ADMIN', 'root');
    await page.getByRole('heading', { name: 'Sign in to Countersign' }).waitFor();
    expect(await page.getByText('Nothing waits for you.').count()).toBe(0);
  });
});

describe('what a key may not do', () => {
  it('is shown to a VIEWER with the reason, and cannot be pressed or done by keys', async () => {
    const { token } = await asking.key('VIEWER', 'auditor');
    const id = await asking.ask({ command: 'git push --force' });
    const page = await open();
    await signIn(page, token);
    await page.getByText('You may look, but not decide: Accepting takes the role APPROVER or ADMIN.').waitFor();
    expect(await page.getByRole('button', { name: /Accept|Decline|Edit/ }).count()).toBe(0);
    for (const key of ['j', 'a', 'd', 'r', 'e', 'x', 'Shift+A']) await page.keyboard.press(key);
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect((await asking.server.openGate().em.findOneOrFail(ElicitationSchema, { id } as never)).action).toBeNull();
    expect(await violationsAtEachWidth(page)).toEqual([]);
    await page.getByRole('link', { name: 'Policies' }).click();
    await page.getByText('Only admins create, change and delete policies.').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'New policy' }).isDisabled()).toBe(true);
    await page.getByRole('link', { name: 'Audit' }).click();
    await page.getByRole('main').getByText(/admins/).waitFor();
    expect(await violationsAtEachWidth(page)).toEqual([]);
    expect(page.faults).toEqual([]);
  });

  it('is shown to an AGENT, who sees its own and decides nothing', async () => {
    const { token } = await asking.key('AGENT', 'bot');
    await asking.ask({ command: 'git push --force' });
    const page = await open();
    await signIn(page, token);
    await page.getByText('bot · agent').waitFor();
    for (const name of ['Inbox', 'Sessions', 'Policies', 'Audit', 'Overview']) {
      await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name }).click();
      await page.getByRole('heading', { level: 1, name }).waitFor();
      await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0);
      expect(await violationsAtEachWidth(page)).toEqual([]);
    }
    expect(await page.getByText('git push --force').count()).toBe(0);
    expect(page.faults).toEqual([]);
  });
});
