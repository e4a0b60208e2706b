import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { demoContent } from '#api/cli/operate/demo-content.ts';
import { withRunner } from '#api/process/run-here.ts';
import { ownerOf } from '#lib/access/named-person.query.ts';
import { seedDemo } from '#lib/sample/demo.ts';
import { hasBrowser, launchBrowser, openPage } from '../support/browser.ts';
import { startConsole, type Console } from '../support/console.ts';
import { handsOf } from '../support/governed.ts';
import { onOneBackend } from '../support/live.ts';

/**
 * The tasks of a new user in the workspace that `npm run demo` makes, as the person whom its link signs in. Each begins on
 * the overview and uses only links, buttons and fields that the page shows, by the names that a person reads.
 */
onOneBackend('tasks in the console of the demo', function (live) {
  let console: Console;
  let browser: Browser;
  let home: string;
  let page: Page;

  before(async function () {
    if (!hasBrowser()) this.skip();
    const started = await startConsole(live());
    // Browsers bind passkeys to host names and not to addresses.
    console = { ...started, url: started.url.replace('127.0.0.1', 'localhost') };
    const hands = handsOf(live().orm('operator'));
    home = mkdtempSync(path.join(tmpdir(), 'assay-tasks-'));
    const seeded = await seedDemo(hands, home, (work) => withRunner(live().ownerUrl, work));
    const scenario = { regime: 'stressed', seed: 42 } as const;
    const made = await demoContent(live().url, seeded, { scenario, now: new Date() });
    expect(made).to.have.keys('forecast', 'scenario', 'delegation', 'exception', 'pack');
    for (const [name, uid] of Object.entries(made)) expect(uid, name).to.be.a('string');
    const owner = (await hands.query('everywhere', ownerOf, seeded.workspace.uid))!;
    browser = await launchBrowser();
    page = await openPage(browser, console, await console.signIn(owner));
    page.setDefaultTimeout(20_000);
  });
  beforeEach(() => page.goto(`${console.url}/console`));
  after(async () => {
    await browser?.close();
    await console?.stop();
    if (home !== undefined) rmSync(home, { recursive: true });
  });

  const follow = (name: string | RegExp) =>
    page
      .getByRole('link', { name, ...(typeof name === 'string' && { exact: true }) })
      .first()
      .click();
  const press = (name: string) => page.getByRole('button', { name, exact: true }).first().click();
  const main = () => page.textContent('main');

  it('submits a forecast, and exports its plot', async () => {
    await follow('New run');
    await follow('Forecasts');
    await page.getByLabel('Metric').fill('economics.GDPC1');
    await page.getByLabel('Horizon').fill('8');
    await press('Submit the run');
    await page.getByText('sealed').first().waitFor();
    const [download] = await Promise.all([page.waitForEvent('download'), press('SVG')]);
    expect(download.suggestedFilename()).to.match(/\.svg$/);
  });

  it('approves a delegation that waits for its vote', async () => {
    await follow(/Delegation of collateral\.transfer/);
    await press('Approve these terms');
    await page.getByText('The delegation is active.').waitFor();
  });

  it('finds why a delegation is not for it to approve', async () => {
    await follow('All approvals');
    const row = page
      .getByRole('row')
      .filter({ has: page.locator('[title]') })
      .first();
    expect(await row.locator('[title]').getAttribute('title')).to.match(/^[A-Z].*\.$/);
    await row.getByRole('link', { name: /^dlg_/ }).click();
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.getByRole('button', { name: 'Approve these terms', exact: true }).count()).to.equal(0);
  });

  it('verifies an evidence pack', async () => {
    await follow('Evidence packs');
    await follow(/^(epk_|1$)/);
    await press('Verify in this browser');
    await page.getByText('signed by a published key').waitFor();
  });

  it('reads the GDP as it was known on a past day', async () => {
    await follow('Series');
    await follow(/GDPC1/);
    await page.getByLabel('Known on', { exact: true }).fill('2020-06-30');
    await page.getByLabel('Known on', { exact: true }).press('Enter');
    await page.waitForURL(/as_of=2020-06-30/);
    expect(await main()).to.include('2020-06-30');
  });

  it('cancels a run', async () => {
    await follow('New run');
    await follow('Simulations');
    await page
      .getByLabel('Source')
      .fill('{"kind": "parametric", "means": [0.005], "covariance": [[0.002]], "law": "normal"}');
    await page.getByLabel('Horizon').fill('600');
    await page.getByText(/^Optional fields/).click();
    await page.getByLabel(/^Paths/).fill('100000');
    await press('Submit the run');
    await press('Cancel the run');
    await page.getByText('The run was cancelled').first().waitFor();
  });

  it('compares two forecasts', async () => {
    await follow('All runs');
    const uids = (await page.getByRole('link', { name: /^fct_/ }).allTextContents()).map((text) =>
      text.trim(),
    );
    await follow(uids[0]!);
    await follow('Compare');
    await page.waitForURL(/\/console\/compare/);
    if ((await page.getByLabel('First run').inputValue()) === '')
      await page.getByLabel('First run').fill(uids[0]!);
    await page.getByLabel('Second run').fill(uids[1]!);
    await press('Compare');
    await page.getByRole('heading', { name: 'Inputs', exact: true }).waitFor();
    expect(await main()).to.include('horizon');
  });

  it('resolves an exception', async () => {
    await follow('Exceptions');
    await follow(/^exc_/);
    await page.getByLabel('Reason, needed to resolve or waive').fill('The custodian corrected it');
    await page.getByLabel('Reference to the evidence, needed to resolve').fill('MT548-1');
    await press('Resolve');
    await page.getByText('The exception was resolved.').waitFor();
  });

  it('checks the proof of an entry of the audit log', async () => {
    await follow('Audit log');
    await page.getByRole('row').filter({ hasText: 'delegation.drafted' }).getByRole('link').first().click();
    await press('Verify in this browser');
    await page.locator('.verdict.good').waitFor();
  });

  it('adds a passkey of this device, and a second one of a security key', async () => {
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    const device = await addAuthenticator(devtools, 'internal');
    await follow('Account');
    await page.getByLabel('Name of the passkey').fill('Laptop');
    await press('Add a passkey');
    await page.getByText('The passkey was added.').waitFor();
    await page.goto(`${console.url}/console`);
    // The person touches the key to add it, then the device to confirm the change with the first passkey.
    await addAuthenticator(devtools, 'usb');
    const touch = (enabled: boolean) =>
      devtools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId: device, enabled });
    await touch(false);
    page.on('request', (request) => void (request.url().endsWith('/add/challenge') && touch(true)));
    await follow('Account');
    await page.getByLabel('Name of the passkey').fill('Key');
    await press('Add a passkey');
    await page.getByText('The passkey was added.').waitFor();
    expect(await page.getByRole('button', { name: /^Remove the passkey/ }).count()).to.equal(2);
  });
});

/** Adds a software authenticator to the browser, which verifies its user and needs no touch. Returns its id. */
async function addAuthenticator(devtools: CDPSession, transport: 'internal' | 'usb'): Promise<string> {
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport,
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return authenticatorId;
}
