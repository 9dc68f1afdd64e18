import { existsSync } from 'node:fs';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';

/** Where Debian and others put a browser that `.ci/run` installs. */
const installed = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((file) => existsSync(file));

/**
 * A real Chromium: the installed one, else the one that an npm package brings. Of the package only the program is used: the arguments that it
 * suggests put all into one process, which ends with the first context that is closed, and turn off what keeps one origin from another.
 */
export async function openBrowser(): Promise<Browser> {
  const executablePath = installed ?? (await (await import('@sparticuz/chromium')).default.executablePath());
  return chromium.launch({ executablePath, args: ['--no-sandbox'] });
}

/** A page in a context of its own, as another person's browser has it. What its scripts throw or its content policy refuses is noted in `faults`. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<Page & { readonly faults: string[] }> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en-GB', ...options });
  context.setDefaultTimeout(10_000);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.stack ?? error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/WebSocket connection|ERR_CONNECTION|Failed to load resource/.test(message.text())) faults.push(message.text());
  });
  return Object.assign(page, { faults });
}
