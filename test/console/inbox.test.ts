import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openBrowser, openPage } from '../support/browser/open-browser.ts';
import { startAskingServer, type AskingServer } from '../support/browser/asking-server.ts';
import { startTestServer } from '../support/start-server.ts';
import { resolveElicitation } from '../../src/gate/resolve-elicitation.ts';
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

async function open() {
  const page = await openPage(browser);
  await page.goto(asking.server.baseUrl);
  await page.getByRole('heading', { name: 'Inbox' }).waitFor();
  return page;
}

async function stored(id: string) {
  return asking.server.openGate().em.findOneOrFail(ElicitationSchema, { id } as never);
}

describe('an ask', () => {
  it('appears by itself, and is accepted by mouse', async () => {
    const page = await open();
    await page.getByText('Nothing waits for you.').waitFor();
    const id = await asking.ask({ command: 'git push origin main' });
    const card = page.getByRole('listitem').filter({ hasText: 'git push origin main' });
    await card.getByRole('button', { name: 'Accept' }).click();
    await card.getByText(/✓ Accepted by/).waitFor();
    expect((await stored(id)).action).toBe('ACCEPT');
    expect(page.faults).toEqual([]);
  });

  it('is declined by keys alone, with a reason that the agent is told', async () => {
    const page = await open();
    const id = await asking.ask({ command: 'rm -rf build' });
    await page.getByText('rm -rf build').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('r');
    await page.getByLabel('Reason').waitFor();
    await page.keyboard.type('not a day for that');
    await page.keyboard.press('Escape');
    expect((await stored(id)).action).toBeNull();
    await page.keyboard.press('r');
    await page.keyboard.type('not today');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText(/✕ Declined by/).waitFor();
    expect(await stored(id)).toMatchObject({ action: 'DECLINE', comment: 'not today' });
  });

  it('that is decided elsewhere says by whom and when, within two seconds, and stays where it is', async () => {
    const [one, other] = [await open(), await open()];
    const first = await asking.ask({ command: 'make it' });
    await asking.ask({ command: 'test it' });
    await one.getByText('test it').waitFor();
    await other.getByText('test it').waitFor();
    const before = await other.getByRole('listitem').filter({ hasText: 'test it' }).first().boundingBox();
    await one.getByRole('listitem').filter({ hasText: 'make it' }).getByRole('button', { name: 'Accept' }).click();
    await other.getByText(/✓ Accepted by Local user, \d/).waitFor({ timeout: 2000 });
    expect(await other.getByRole('listitem').filter({ hasText: 'test it' }).first().boundingBox()).toEqual(before);
    expect((await stored(first)).action).toBe('ACCEPT');
  });

  it('that comes in does not move the one that has the focus', async () => {
    const page = await open();
    await asking.ask({ command: 'make it' });
    await page.getByText('make it').waitFor();
    await page.getByLabel('Order').selectOption('Newest first');
    await page.getByRole('button', { name: 'Accept' }).focus();
    const before = await page.getByRole('listitem').filter({ hasText: 'make it' }).first().boundingBox();
    await asking.ask({ command: 'test it' });
    await page.getByText('test it').waitFor();
    expect(await page.getByRole('listitem').filter({ hasText: 'make it' }).first().boundingBox()).toEqual(before);
  });

  it('that is asked again and again is one card, decided by one key', async () => {
    const page = await open();
    const ids = await Promise.all([1, 2, 3].map(() => asking.ask({ command: 'npm test' })));
    await page.getByText('3 identical').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('a');
    await page.getByText(/✓ Accepted by/).waitFor();
    expect(await Promise.all(ids.map(async (id) => (await stored(id)).action))).toEqual(['ACCEPT', 'ACCEPT', 'ACCEPT']);
  });

  it('of which not all fits must be opened before it can be accepted', async () => {
    const page = await open();
    const id = await asking.ask({ command: `echo ${'x'.repeat(5000)}; rm -rf /; ${'y'.repeat(5000)}` });
    await page.getByText('characters not shown here').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('a');
    await page.getByText('read all of it first').waitFor();
    await page.getByText('rm -rf /').waitFor();
    expect((await stored(id)).action).toBeNull();
    await page.keyboard.press('a');
    await page.getByText(/✓ Accepted by/).waitFor();
  });
});

describe('a selection', () => {
  it('is decided as it was when the dialog opened: what came in later waits on', async () => {
    const page = await open();
    const ids = [await asking.ask({ command: 'one' }), await asking.ask({ command: 'two' })];
    await page.getByText('two').waitFor();
    for (const key of ['j', 'x', 'j', 'x', 'Shift+A']) await page.keyboard.press(key);
    await page.getByRole('heading', { name: 'Accept these 2 asks?' }).waitFor();
    const later = await asking.ask({ command: 'two' });
    await page.getByRole('button', { name: 'Accept all 2' }).click();
    await page.getByText(/✓ Accepted by/).first().waitFor();
    expect(await Promise.all([...ids, later].map(async (id) => (await stored(id)).action))).toEqual(['ACCEPT', 'ACCEPT', null]);
  });
});

describe('when the server goes away', () => {
  it('says that live updates are lost, never that nothing waits, and comes back by itself', async () => {
    const page = await open();
    await page.getByText('Nothing waits for you.').waitFor();
    const { config, close, databaseFile } = asking.server;
    const port = Number(new URL(asking.server.baseUrl).port);
    await close();
    await page.getByText('Live updates lost').waitFor();
    expect(await page.getByText('Nothing waits for you.').count()).toBe(0);
    const again = await startTestServer({ ...config, port, database: `sqlite:${databaseFile}` });
    await page.getByText('Nothing waits for you.').waitFor();
    await again.close();
    await page.getByText('Live updates lost').waitFor();
    const third = await startTestServer({ ...config, port, database: `sqlite:${databaseFile}` });
    asking = { ...asking, server: { ...third, remove: asking.server.remove } };
    await page.getByText('Nothing waits for you.').waitFor();
    await third.close();
  });
});

describe('the title', () => {
  it('says how many wait', async () => {
    const page = await open();
    const id = await asking.ask();
    await expect.poll(() => page.title()).toBe('(1) Inbox · Countersign');
    const { digest } = await stored(id);
    await resolveElicitation(asking.server.openGate(), { elicitationId: id, action: 'DECLINE', expectedDigest: digest });
    await expect.poll(() => page.title()).toBe('Inbox · Countersign');
  });
});
