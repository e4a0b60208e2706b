import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { clientOf } from '../support/client.ts';
import { hasBrowser, launchBrowser, openPage, violations } from '../support/browser.ts';
import { startConsole, type Console } from '../support/console.ts';
import { operatorsOf } from '../support/control.ts';
import { draft, governedSample, type Sample } from '../support/govern.ts';
import { onOneBackend } from '../support/live.ts';
import { spend } from '../support/spend.ts';

onOneBackend('decisions in two browsers', function (live) {
  let console: Console;
  let browser: Browser;
  let sample: Sample;
  let anna: Page;
  let chef: Page;
  const faults: string[] = [];

  before(async function () {
    if (!hasBrowser()) this.skip();
    console = await startConsole(live());
    sample = await governedSample(live());
    const operators = operatorsOf(live(), sample);
    await operators.role('payments');
    await operators.role('treasurer');
    const persons = [await operators.voter('payments'), await operators.voter('treasurer')];
    await operators.graph('two-nodes', 'obligation.pay', [
      { quorum: 1, roles: ['payments'] },
      { quorum: 1, roles: ['treasurer'] },
    ]);
    browser = await launchBrowser();
    const pages: Page[] = [];
    for (const { person } of persons) {
      const page = await openPage(browser, console, await console.signIn(person));
      page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
      page.on('pageerror', (error) => faults.push(error.message));
      pages.push(page);
    }
    [anna, chef] = pages as [Page, Page];
  });
  after(async () => {
    await browser?.close();
    await console?.stop();
  });

  it('lets two persons approve a delegation, from its draft to its use, with the keyboard alone', async () => {
    const { body } = await draft(live(), sample);
    for (const [page, done] of [
      [anna, 'Your vote was recorded. More votes are needed.'],
      [chef, 'Your vote was recorded. The delegation is active.'],
    ] as const) {
      await page.goto(`${console.url}/console/approvals`);
      await page.focus(`a[href="/console/delegations/${body.uid}"]`);
      await page.keyboard.press('Enter');
      await page.waitForSelector('.graph svg');
      expect(await violations(page)).to.deep.equal([]);
      await page.focus('input[name="reason"]');
      await page.keyboard.press('Enter');
      expect(page.url(), 'Enter in a field decides nothing').to.match(/\/dlg_\w+$/);
      await page.focus('button.primary');
      await page.keyboard.press('Enter');
      await page.waitForSelector('.notice.ok');
      expect(await page.textContent('.notice.ok')).to.equal(done);
      expect(await violations(page)).to.deep.equal([]);
    }
    const { state } = (
      await clientOf(live(), sample.applications.drafter.api_key).get(
        `/actions/agentic/delegations/${body.uid}`,
      )
    ).body;
    expect(state).to.equal('activated');
    expect((await spend(live().orm('operator'), body.uid, { amount: 100 })).ok).to.equal(true);
    await chef.reload();
    expect(await chef.textContent('main')).to.match(/Day \d{4}-\d\d-\d\d\s*0\.00\s*1\.00\s*2\.00/);
    await chef.click('button:has-text("Revoke")');
    await chef.waitForSelector('.notice.bad');
    expect(await chef.textContent('.notice.bad')).to.include('Enter a reason.');
    expect(await violations(chef)).to.deep.equal([]);
  });

  it('verifies an evidence pack and an entry of the audit log in the browser', async () => {
    const { status, body } = await clientOf(live(), sample.applications.drafter.api_key).post(
      '/trust/evidence-packs',
      {},
    );
    expect(status, JSON.stringify(body)).to.equal(201);
    for (const place of [`/console/packs/${body.uid}`, '/console/audit/3']) {
      await anna.goto(`${console.url}${place}`);
      await anna.click('[data-check-pack]');
      await anna.waitForSelector('.verdict.good');
      expect(await anna.textContent('.verdict.good'), place).to.include('signed by a published key');
      expect(await violations(anna), place).to.deep.equal([]);
    }
    await anna.route('**/audit/3/json', async (route) => {
      const answer = await route.fetch();
      const proof = await answer.json();
      proof.inclusion.entry = proof.inclusion.entry.replace('"done"', '"refused"');
      await route.fulfill({ response: answer, json: proof });
    });
    await anna.click('[data-check-pack]');
    await anna.waitForSelector('.verdict.bad');
    expect(await anna.textContent('.verdict.bad')).to.match(/^Not valid \(log\)/);
  });

  it('causes no error and breaks no policy of the pages', () => {
    // The browser reports the status of a refused decision as an error of the page, so such errors are expected.
    expect(faults.filter((text) => !/status of 4\d\d/.test(text))).to.deep.equal([]);
  });
});
