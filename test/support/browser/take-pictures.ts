import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startTestServer } from '../start-server.ts';
import { setup } from './build-pages.ts';
import { furnish } from './furnish.ts';
import { openBrowser, openPage } from './open-browser.ts';

/** `npm run pictures`: photographs every page of the running console into docs/pictures, as a phone and as a wide screen show it. */
const folder = path.join(import.meta.dirname, '../../../docs/pictures');

await mkdir(folder, { recursive: true });
await setup();
const server = await startTestServer();
const { asks, sessionId, policyId } = await furnish(server);
const browser = await openBrowser();
const pages = { inbox: '/', ask: `/elicitations/${asks.shell}`, edit: `/elicitations/${asks.edit}`, sessions: '/sessions', session: `/sessions/${sessionId}`, policies: '/policies', policy: `/policies/${policyId}`, audit: '/audit', overview: '/overview' };
try {
  for (const [width, height] of [[390, 844], [1440, 900]] as const) {
    const page = await openPage(browser, { viewport: { width, height }, colorScheme: width < 500 ? 'dark' : 'light' });
    for (const [name, address] of Object.entries(pages)) {
      await page.goto(server.baseUrl + address);
      await page.locator('h1').first().waitFor();
      await pause(400); // what is loaded after it
      await page.screenshot({ path: path.join(folder, `${name}-${width}.png`) });
    }
    if (page.faults.length > 0) throw new Error(page.faults.join('\n'));
  }
} finally {
  await browser.close();
  await server.remove();
}
