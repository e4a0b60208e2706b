import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { buildTenancy, type Tenancy } from '../support/build.ts';
import { hasBrowser, launchBrowser, openPage } from '../support/browser.ts';
import { clientOf, userOf } from '../support/client.ts';
import { startConsole, type Console } from '../support/console.ts';
import { importTiny } from '../support/import.ts';
import { onOneBackend } from '../support/live.ts';

const PLACE = '/console/jobs';

onOneBackend('the list of open runs in a browser', (live) => {
  let console: Console;
  let browser: Browser;
  let tenancy: Tenancy;
  let page: Page;
  /** The requests of the page for the list and its decisions. */
  let sent: string[];

  before(async function () {
    if (!hasBrowser()) this.skip();
    console = await startConsole(live());
    tenancy = await buildTenancy(live());
    await importTiny(live(), tenancy.workspace);
    process.kill(live().pid('worker-numerics-1')!, 'SIGSTOP');
    browser = await launchBrowser();
  });
  beforeEach(async () => {
    sent = [];
    page = await openPage(browser, console, await console.signIn(tenancy.person));
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith(PLACE)) sent.push(`${request.method()} ${pathname}`);
    });
  });
  afterEach(() => page.context().close());
  after(async () => {
    process.kill(live().pid('worker-numerics-1')!, 'SIGCONT');
    await browser?.close();
    await console?.stop();
  });

  const submit = async () =>
    (await userOf(live(), tenancy.key).submit('/investment/theme-watch/factors')).uid as string;
  const cancel = async (uid: string) => {
    const { status } = await clientOf(live(), tenancy.key).post(`/quant/compute/jobs/${uid}/cancel`, {});
    expect(status).to.equal(200);
  };
  const shown = (uid: string) => page.waitForSelector(`[data-live="${uid}"]`, { timeout: 60_000 });

  it('follows the runs after a refused decision, and sends the decision once', async () => {
    const [chosen, other] = [await submit(), await submit()];
    // The page does not hear that the run ends.
    await page.route('**/console/live*', (route) => route.abort());
    await page.goto(`${console.url}${PLACE}`);
    await page.check(`input[value="${chosen}"]`, { force: true });
    await cancel(chosen);
    await page.click('button:has-text("Dispatch again")');
    await page.waitForURL(`**${PLACE}/dispatch`);
    expect(await page.textContent('main')).to.include('run_not_open');
    await page.unroute('**/console/live*');
    const added = await submit();
    await shown(added);
    expect(page.url()).to.equal(`${console.url}${PLACE}/dispatch`);
    // Without an open run there is no form of decisions, so the whole page is loaded again.
    for (const uid of [other, added]) await cancel(uid);
    await page.waitForURL(`**${PLACE}`);
    expect(sent.filter((each) => each.includes(`${PLACE}/`))).to.deep.equal([`POST ${PLACE}/dispatch`]);
  });

  it('waits if the person made too many requests, and stays on the page', async () => {
    await submit();
    await page.goto(`${console.url}${PLACE}`);
    let refused = 0;
    await page.route(`**${PLACE}`, (route) =>
      ++refused === 1
        ? route.fulfill({ status: 429, headers: { 'Retry-After': '2' }, body: 'Too many requests' })
        : route.continue(),
    );
    await page.evaluate('globalThis.isSamePage = true');
    await shown(await submit());
    expect([refused >= 2, await page.evaluate('globalThis.isSamePage')]).to.deep.equal([true, true]);
  });
});
