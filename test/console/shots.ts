import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { chromium, type Page } from 'playwright-core';

const usage = 'usage: npm run console:shots -- <sign-in link> <folder> [width]';
const [, , link, folder, width = '1440'] = process.argv;
if (link === undefined || folder === undefined) {
  process.stderr.write(`${usage}\n`);
  process.exit(2);
}

const BROWSER = '/usr/bin/chromium';
const browser = await chromium.launch({ executablePath: BROWSER, args: ['--no-sandbox', '--disable-gpu'] });
const context = await browser.newContext({ viewport: { width: Number(width), height: 900 } });
const page = await context.newPage();
const origin = new URL(link).origin;
await page.goto(link);
await page.waitForSelector('nav.side');
mkdirSync(folder, { recursive: true });

const places = await placesFrom(page);
for (const theme of ['light', 'dark']) {
  await page.evaluate(`localStorage.setItem('theme', '${theme}')`);
  for (const place of places) {
    const answer = await page.goto(`${origin}${place}`, { waitUntil: 'load' });
    const name = place.replace(/^\/console\/?/, '').replaceAll(/[^\w.-]+/g, '_') || 'overview';
    await page.screenshot({ path: path.join(folder, `${name}-${theme}.png`), fullPage: true });
    process.stdout.write(`${answer?.status()} ${place} ${theme}\n`);
  }
}
await browser.close();

/** Returns the addresses of the navigation, the first record of each list, and the first run of each kind. */
async function placesFrom(from: Page): Promise<string[]> {
  const hrefs = (selector: string) =>
    from.$$eval(selector, (links) => links.map((each) => each.getAttribute('href') ?? ''));
  const lists = await hrefs('nav.side a');
  const found = new Set(lists);
  for (const list of lists) {
    await from.goto(`${origin}${list}`, { waitUntil: 'load' });
    const records = (await hrefs('tbody th a')).filter((href) => href.startsWith('/console/'));
    const seen = new Set<string>();
    for (const record of records) {
      const kind = /\/([a-z]{3})_/.exec(record)?.[1] ?? '';
      if (seen.has(kind)) continue;
      seen.add(kind);
      found.add(record);
    }
  }
  return [...found];
}
