import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { buildTenancy } from '../support/build.ts';
import { hasBrowser, launchBrowser, openPage } from '../support/browser.ts';
import { fillConsole, plainPages, recordPlaces } from '../support/console-content.ts';
import { startConsole, type Console } from '../support/console.ts';
import { onOneBackend } from '../support/live.ts';
import { PAYLOAD, plantScripts, type Planted } from '../support/stored-script.ts';

/** Elements and attributes that no page of the console has, and the scripts that every page has. */
const FOREIGN = `[...document.querySelectorAll('*')].flatMap((each) => {
  const name = each.localName;
  const isOwn = name === 'script' && (each.type === 'application/json' || new URL(each.src).origin === location.origin);
  if (['x-planted', 'iframe', 'object', 'embed', 'img', 'base'].includes(name) || (name === 'script' && !isOwn))
    return [each.outerHTML.slice(0, 200)];
  const bad = [...each.attributes].filter(({ name, value }) => /^on/.test(name) || /^\\s*(javascript|data):/i.test(value));
  return bad.map((attribute) => name + ' ' + attribute.name + '=' + attribute.value.slice(0, 100));
})`;

/** The fewest columns with a payload, and the fewest pages that print one. */
const COLUMNS_MIN = 70;
const PAGES_MIN = 70;

onOneBackend('scripts that are stored in records', function (live) {
  let console: Console;
  let browser: Browser;
  let page: Page;
  let planted: Planted;
  const places: string[] = [];
  const faults: string[] = [];

  before(async function () {
    if (!hasBrowser()) this.skip();
    console = await startConsole(live());
    const tenancy = await buildTenancy(live());
    const { runs, faults: missing } = await fillConsole(live(), tenancy);
    expect(missing).to.deep.equal([]);
    const cookie = await console.signIn(tenancy.person);
    const records = await recordPlaces(console, cookie);
    places.push(...plainPages, ...records, ...runs.map((uid) => `/console/runs/${uid}`));
    places.push(...runs.slice(0, 5).map((uid) => `/console/trace/${uid}`));
    planted = await plantScripts(live(), tenancy.workspace);
    browser = await launchBrowser();
    page = await openPage(browser, console, cookie);
    await page.addInitScript(`addEventListener('securitypolicyviolation', (event) =>
      console.error('policy ' + event.violatedDirective + ' ' + event.blockedURI))`);
    page.on('console', (message) => {
      const isStatus = /the server responded with a status of/.test(message.text());
      if (message.type() === 'error' && !isStatus) faults.push(`${page.url()}: ${message.text()}`);
    });
    page.on('pageerror', (error) => faults.push(`${page.url()}: ${error.message}`));
    page.on('dialog', (dialog) => {
      faults.push(`${page.url()}: a dialog`);
      void dialog.dismiss();
    });
  });
  after(async () => {
    await browser?.close();
    await console?.stop();
  });

  it('cover the free texts of the records, except those that the database protects', () => {
    expect(planted.columns).to.have.length.of.at.least(COLUMNS_MIN);
    expect(planted.columns).to.include.members([
      'person.name',
      'workspace.name',
      'application.name',
      'run_result.members',
    ]);
    expect(planted.refused.filter((text) => !/constraint|value too long/.test(text))).to.deep.equal([]);
  });

  it('are printed as text on every page, and run nowhere', async () => {
    let printed = 0;
    const failed: string[] = [];
    for (const place of places) {
      const answer = await page.goto(`${console.url}${place}`, { waitUntil: 'load' });
      const source = await answer!.text();
      const isWhole = answer!.status() < 500;
      if (!isWhole) failed.push(`${answer!.status()} ${place}`);
      expect(await page.evaluate<string[]>(FOREIGN), place).to.deep.equal([]);
      expect(source, place).to.not.include('<x-planted').and.to.not.include('<script>pwned');
      if ((source.split('<main')[1] ?? '').includes('&lt;x-planted&gt;')) printed++;
    }
    expect(failed).to.deep.equal([]);
    expect(printed).to.be.at.least(PAGES_MIN);
    expect(faults).to.deep.equal([]);
  });

  it('are printed as text if they come from the address', async () => {
    const names = [
      'q',
      'kind',
      'state',
      'cursor',
      'op',
      'subject',
      'since',
      'meter',
      'granularity',
      'a',
      'b',
      'as_of',
      'done',
    ];
    const query = new URLSearchParams(names.map((name): [string, string] => [name, PAYLOAD])).toString();
    for (const place of [
      ...plainPages,
      '/console/find',
      '/console/series/GDPC1',
      `/console/${encodeURIComponent('<x-planted>')}`,
    ]) {
      await page.goto(`${console.url}${place}?${query}`, { waitUntil: 'load' });
      expect(await page.evaluate<string[]>(FOREIGN), place).to.deep.equal([]);
    }
    expect(faults).to.deep.equal([]);
  });
});
