import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { chromium, type Browser, type Page } from 'playwright-core';
import type { Console } from './console.ts';

const BROWSER = '/usr/bin/chromium';
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** The rules of WCAG 2.2 at level AA, and axe's best practices. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Whether this machine has the browser of the tests. */
export function hasBrowser(): boolean {
  return spawnSync(BROWSER, ['--version']).status === 0;
}

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: BROWSER, args: FLAGS });
}

/** Opens a page in a browser context of its own, with the cookie of a session. */
export async function openPage(browser: Browser, { url }: Console, cookie: string): Promise<Page> {
  const context = await browser.newContext();
  const [name = '', value = ''] = cookie.split('=');
  await context.addCookies([{ name, value, url }]);
  return context.newPage();
}

/** Returns the violations that axe finds on the page, each with the first element that it names. */
export async function violations(page: Page): Promise<string[]> {
  // The policy of the console forbids inline scripts, so the test adds the script through the debugging protocol.
  await page.evaluate(axe);
  return page.evaluate<string[]>(
    `axe.run(document, { runOnly: ${JSON.stringify(RULES)} }).then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ': ' + nodes[0].target.join(' ')))`,
  );
}
