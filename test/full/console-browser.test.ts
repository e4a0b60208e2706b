import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { pages } from '#api/console/pages.ts';
import { buildTenancy } from '../support/build.ts';
import { hasBrowser, launchBrowser, openPage, violations } from '../support/browser.ts';
import { clientOf } from '../support/client.ts';
import { startConsole, type Console } from '../support/console.ts';
import { dailyLines, weekdays } from '../support/daily-prices.ts';
import { FORECASTS, importEconomics } from '../support/forecast.ts';
import { importCsv, importSample } from '../support/import.ts';
import { markupFaults } from '../support/markup.ts';
import { onOneBackend } from '../support/live.ts';

/** The limits of a first load, in bytes as they are sent. */
const LOAD_BYTES_MAX = 60_000;
const SCRIPT_BYTES_MAX = 15_000;
const REQUESTS_MAX = 6;

/** Rows of which one is unusual. */
const anomalousRows = Array.from({ length: 40 }, (_, row) => [row === 30 ? 90 : 10 + (row % 7)]);

/** Rows with a season of 12, of which one is unusual. */
const seasonalRows = Array.from({ length: 60 }, (_, row) => [
  100 + row + 10 * Math.sin((row * Math.PI) / 6) + (row === 30 ? 80 : 0),
]);

const days = weekdays('2019-01-01', 300);

onOneBackend('the console in a browser', function (live) {
  let console: Console;
  let browser: Browser;
  let page: Page;
  const paths: string[] = [];
  const traces: string[] = [];
  const foreign: string[] = [];
  const faults: string[] = [];

  before(async function () {
    if (!hasBrowser()) this.skip();
    const tenancy = await buildTenancy(live());
    await importSample(live(), tenancy.workspace);
    await importEconomics(live(), tenancy.workspace);
    await importCsv(
      live(),
      tenancy.workspace,
      'prices',
      dailyLines([{ symbol: 'BRA', start: 100, drift: 0.002, swing: 0.012 }], days),
    );
    const client = clientOf(live(), tenancy.key);
    const strategy = {
      universe: { kind: 'list', symbols: ['BRA'] },
      weight: { scheme: 'equal' },
      schedule: { every: 'once' },
    };
    const bodies: [string, object][] = [
      ['/investment/theme-watch/factors', { as_of_date: '2020-09-30', history_months: 60 }],
      [FORECASTS, { metric: 'economics.GDPC1', horizon: 8, reason: 'Budget' }],
      ['/ml/anomaly', { columns: ['revenue'], rows: anomalousRows, method: 'robust_z' }],
      ['/ml/anomaly', { columns: ['sales'], rows: seasonalRows, period: 12 }],
      ['/quant/compute/backtests', { strategy, from: days[40], to: days.at(-1) }],
    ];
    for (const [resource, body] of bodies) {
      const { status, body: run } = await client.post(resource, body);
      expect(status, JSON.stringify(run)).to.equal(201);
      paths.push(`/console/runs/${run.uid}`);
      traces.push(`/console/trace/${run.uid}`);
    }
    console = await startConsole(live());
    const cookie = await console.signIn(tenancy.person);
    browser = await launchBrowser();
    page = await openPage(browser, console, cookie);
    page.on('request', (request) => {
      if (!request.url().startsWith(console.url) && !request.url().startsWith('data:'))
        foreign.push(request.url());
    });
    page.on('console', (message) => {
      // If a page is not found or is refused, the browser reports its status as an error.
      const isExpected = otherStates.some((path) => message.location().url.endsWith(path));
      if (message.type() === 'error' && !isExpected) faults.push(message.text());
    });
    page.on('pageerror', (error) => faults.push(error.message));
  });
  after(async () => {
    await browser?.close();
    await console?.stop();
  });

  const lists = pages
    .map(({ path }) => path)
    .filter((path) => !path.includes(':') && path !== '/console/find');

  /**
   * Pages in other states, such as an empty search, a record that is not found, a page as of a past day, and refused
   * parameters.
   */
  const otherStates = [
    '/console/nothing',
    '/console/find?q=unknown',
    '/console/delegations/dlg_01K8XQ5W3ZJ6T9R2M4N7P0QABC',
    '/console/series/GDPC1?as_of=2020-06-30',
    '/console/runs?state=failed',
    '/console/runs?state=unknown',
    '/console/audit?op=person.signed_in',
    '/console/usage?granularity=hour',
    '/console/new/nothing',
    '/console/trace/fct_01K8XQ5W3ZJ6T9R2M4N7P0QABC',
  ];
  /** Forms of new runs, which have a page for each kind. */
  const forms = ['/console/new/planning.forecasts', '/console/new/quant.frontiers?example=1'];

  /** Returns the markup of a page as the server sends it. */
  const sourceOf = async (path: string) => (await page.request.get(`${console.url}${path}`)).text();

  for (const { width, theme } of [
    { width: 1280, theme: 'light' },
    { width: 1280, theme: 'dark' },
    { width: 390, theme: 'light' },
    { width: 390, theme: 'dark' },
  ]) {
    it(`has no violation of WCAG 2.2 AA and no overflow at ${width} pixels, ${theme}`, async () => {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(`${console.url}/console`);
      await page.evaluate(`localStorage.setItem('theme', '${theme}')`);
      for (const path of [...lists, ...paths, ...traces, ...forms, ...otherStates]) {
        await page.goto(`${console.url}${path}`, { waitUntil: 'load' });
        expect(await page.getAttribute('html', 'data-theme'), path).to.equal(theme);
        expect(await violations(page), path).to.deep.equal([]);
        if (width > 390 && theme === 'light')
          expect(await markupFaults(await sourceOf(path)), path).to.deep.equal([]);
        const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
        expect(overflow, path).to.be.at.most(0);
      }
    });
  }

  it('loads nothing from other hosts, and runs no script that its policy forbids', () => {
    expect(foreign).to.deep.equal([]);
    expect(faults).to.deep.equal([]);
  });

  it('loads each page within its limits of bytes and requests', async () => {
    for (const path of paths) {
      await page.goto(`${console.url}${path}`, { waitUntil: 'load' });
      const loads = await page.evaluate<Load[]>(
        `[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
          .map(({ name, encodedBodySize }) => ({ name, bytes: encodedBodySize }))`,
      );
      const sum = (some: readonly Load[]) => some.reduce((total, { bytes }) => total + bytes, 0);
      const [bytes, scripts] = [sum(loads), sum(loads.filter(({ name }) => name.endsWith('.js')))];
      expect(bytes, path).to.be.within(1, LOAD_BYTES_MAX);
      expect(scripts, path).to.be.within(1, SCRIPT_BYTES_MAX);
      expect(loads.length, path).to.be.at.most(REQUESTS_MAX);
    }
  });

  it('describes the points of a chart on arrow keys, and moves the focus to the search field on the key /', async () => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(`${console.url}${paths[1]}`, { waitUntil: 'load' });
    await page.focus('[data-chart]');
    await page.keyboard.press('ArrowLeft');
    expect(await page.textContent('#voice')).to.match(/^\d{4}-Q\d: forecast [\d,.]+, /);
    await page.keyboard.press('ArrowLeft');
    expect(await page.locator('.tip').count()).to.equal(1);
    await page.keyboard.press('/');
    expect(await page.evaluate('document.activeElement?.id')).to.equal('find');
  });

  it('recomputes a seal, and names the member that was changed', async () => {
    await page.goto(`${console.url}${paths[1]}`, { waitUntil: 'load' });
    await page.click('[data-verify]');
    await page.waitForSelector('.verdict.good');
    expect(await page.textContent('.verdict.good')).to.match(/^The seal matches: \d members/);
    await page.route('**/json', async (route) => {
      const answer = await route.fetch();
      const run = await answer.json();
      run.result.points[0] += 1;
      await route.fulfill({ response: answer, json: run });
    });
    await page.click('[data-verify]');
    await page.waitForSelector('.verdict.bad');
    expect(await page.textContent('[data-member="result"]')).to.equal('differs');
    expect(await page.textContent('[data-member="input"]')).to.equal('✓');
  });

  it('shows charts and tables without scripts', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    await context.addCookies(await page.context().cookies());
    const plain = await context.newPage();
    await plain.goto(`${console.url}${paths[1]}`);
    expect(await plain.locator('.chart svg path').count()).to.be.greaterThan(3);
    expect(await plain.locator('tbody tr').count()).to.be.greaterThan(8);
    await context.close();
  });
});

/** A file that a page loaded, and its size as it was sent. */
type Load = { name: string; bytes: number };
