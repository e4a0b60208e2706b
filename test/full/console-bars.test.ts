import { expect } from 'chai';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { bundle } from '#api/console/assets.ts';
import { buildTenancy } from '../support/build.ts';
import { hasBrowser, launchBrowser, openPage, violations } from '../support/browser.ts';
import { clientOf } from '../support/client.ts';
import { startConsole, type Console } from '../support/console.ts';
import { FORECASTS, importEconomics } from '../support/forecast.ts';
import { importSample } from '../support/import.ts';
import { onOneBackend } from '../support/live.ts';

/** The largest sum of unexpected shifts of a page, by the definition of Cumulative Layout Shift. */
const SHIFT_MAX = 0.02;
/** The most processor time of a page's main thread until it rests, in seconds. */
const MAIN_THREAD_S = 0.4;
/** The longest time from 100,000 points to the second frame, in milliseconds. */
const POINTS_MS = 150;
/** The most pages of paper of a run. */
const PAPER_PAGES = 6;

onOneBackend('the bars of the console in a browser', function (live) {
  let console: Console;
  let browser: Browser;
  let page: Page;
  let devtools: CDPSession;
  const runs: string[] = [];

  before(async function () {
    if (!hasBrowser()) this.skip();
    const tenancy = await buildTenancy(live());
    await importSample(live(), tenancy.workspace);
    await importEconomics(live(), tenancy.workspace);
    const client = clientOf(live(), tenancy.key);
    for (const [resource, body] of [
      ['/investment/theme-watch/factors', { as_of_date: '2020-09-30', history_months: 60 }],
      [FORECASTS, { metric: 'economics.GDPC1', horizon: 8, reason: 'Budget' }],
    ] as const) {
      const { status, body: run } = await client.post(resource, body);
      expect(status, JSON.stringify(run)).to.equal(201);
      runs.push(`/console/runs/${run.uid}`);
    }
    console = await startConsole(live());
    browser = await launchBrowser();
    page = await openPage(browser, console, await console.signIn(tenancy.person));
    await page.setViewportSize({ width: 1280, height: 800 });
    devtools = await page.context().newCDPSession(page);
    await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  });
  after(async () => {
    await browser?.close();
    await console?.stop();
  });

  const open = (path: string) => page.goto(`${console.url}${path}`, { waitUntil: 'load' });

  it('shifts nothing, and rests after little work of the main thread', async () => {
    for (const path of runs) {
      await open(path);
      const shift = await page.evaluate<number>(`new Promise((resolve) => {
        let sum = 0;
        const add = (entries) => { for (const { value, hadRecentInput } of entries) if (!hadRecentInput) sum += value; };
        new PerformanceObserver((list) => add(list.getEntries())).observe({ type: 'layout-shift', buffered: true });
        setTimeout(() => resolve(sum), 500);
      })`);
      expect(shift, path).to.be.at.most(SHIFT_MAX);
      const { metrics } = await devtools.send('Performance.getMetrics');
      const { value: worked } = metrics.find(({ name }) => name === 'TaskDuration')!;
      expect(worked, path).to.be.within(0.001, MAIN_THREAD_S);
    }
  });

  it('draws 100,000 points at once, with the extreme value', async () => {
    await open(runs[1]!);
    const url = `${console.url}/console/assets/test/lines.js`;
    const body = `${bundle('charts/lines.ts')}\nexport const { lines } = modules['charts/lines.ts'];`;
    await page.route(url, (route) => route.fulfill({ body, contentType: 'text/javascript' }));
    const times = await page.evaluate<number[]>(`(async () => {
      const { lines } = await import('${url}');
      const values = Array.from({ length: 100000 }, (_, index) => Math.sin(index / 500) + (index === 77777 ? 9 : 0));
      const model = { scale: 'linear', labels: values.map(String), lines: [{ name: 'value', values, tone: 1 }] };
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      const path = document.querySelector('.chart svg path');
      const times = [];
      for (let round = 0; round < 7; round++) {
        const from = performance.now();
        const chart = lines(model, { width: 800, height: 320 });
        path.setAttribute('d', / d="([^"]+)"/.exec(chart.markup.split('class="line')[1])[1]);
        await frame();
        await frame();
        times.push(performance.now() - from);
      }
      return times;
    })()`);
    expect(Math.min(...times)).to.be.at.most(POINTS_MS);
  });

  it('prints a run on a few pages of paper, without the navigation', async () => {
    for (const path of runs) {
      await open(path);
      const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
      expect(pdf.match(/\/Type\s*\/Page\b(?!s)/g), path).to.have.length.within(1, PAPER_PAGES);
      await page.emulateMedia({ media: 'print' });
      expect(await page.isVisible('nav.side'), path).to.equal(false);
      expect(await page.isVisible('.chart svg, .heat svg'), path).to.equal(true);
      await page.emulateMedia({ media: null });
    }
  });

  it('is reached element by element with the Tab key, with a visible focus', async () => {
    for (const path of ['/console', '/console/new/planning.forecasts', runs[1]!]) {
      await open(path);
      const wanted = await page.evaluate<number>(
        `[...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')]
          .filter((each) => !each.disabled && each.type !== 'hidden' && each.checkVisibility()).length`,
      );
      const seen = new Set<number>();
      for (let step = 0; step < wanted + 5; step++) {
        await page.keyboard.press('Tab');
        const at = await page.evaluate<{ index: number; hasFocusRing: boolean }>(
          `({ index: [...document.querySelectorAll('*')].indexOf(document.activeElement),
            hasFocusRing: getComputedStyle(document.activeElement).outlineStyle !== 'none' })`,
        );
        const isOutside = await page.evaluate<boolean>('document.activeElement === document.body');
        if (isOutside) continue;
        expect(at.hasFocusRing, `${path}, step ${step}`).to.equal(true);
        seen.add(at.index);
      }
      expect(seen.size, path).to.equal(wanted);
    }
  });

  it('submits a run from its form with the keyboard, and shows the sealed run when it has ended', async () => {
    await open('/console/new/planning.forecasts');
    await page.focus('[name="/metric"]');
    await page.keyboard.type('economics.GDPC1');
    await page.keyboard.press('Tab');
    await page.keyboard.type('many');
    await page.keyboard.press('Enter');
    await page.waitForSelector('[aria-invalid]');
    expect(await violations(page)).to.deep.equal([]);
    await page.fill('[name="/horizon"]', '3');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/console\/runs\/fct_\w+$/);
    await page.waitForSelector('.meta .pill.ok:has-text("sealed")');
    expect(await page.locator('[data-chart="fan"]').count()).to.equal(1);
  });

  it('submits a run without scripts', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    await context.addCookies(await page.context().cookies());
    const plain = await context.newPage();
    await plain.goto(`${console.url}/console/new/planning.forecasts?example=1`);
    await plain.fill('[name="/metric"]', 'economics.GDPC1');
    await plain.fill('[name="/horizon"]', '2');
    await plain.click('button:has-text("Submit the run")');
    await plain.waitForURL(/\/console\/runs\/fct_\w+$/);
    await plain.waitForSelector('.meta .pill:has-text("sealed")');
    await context.close();
  });
});
