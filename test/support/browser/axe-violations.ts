import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

/** What axe-core finds on a page, also within shadow roots: rule and place of each violation, by the rules of WCAG 2.2 AA. */
export async function axeViolations(page: Page): Promise<string[]> {
  const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  await page.evaluate(axe);
  const options = { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] };
  const { violations } = await page.evaluate<{ violations: { id: string; nodes: { target: unknown; failureSummary: string }[] }[] }>(`axe.run(document, ${JSON.stringify(options)})`);
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id} at ${JSON.stringify(target)}: ${failureSummary}`));
}

/** What is wrong on a phone and on a wide screen: violations, and what sticks out at the side. */
export async function violationsAtEachWidth(page: Page): Promise<string[]> {
  const found: string[] = [];
  const before = page.viewportSize();
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    found.push(...(await axeViolations(page)).map((violation) => `${width} px: ${violation}`));
    const widest = await page.evaluate<number>('document.documentElement.scrollWidth');
    if (widest > width) found.push(`${width} px: the page is ${widest} px wide`);
  }
  if (before) await page.setViewportSize(before);
  return found;
}
