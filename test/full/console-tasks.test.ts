import { expect } from 'chai';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { hasBrowser, launchBrowser } from '../support/browser.ts';
import { startDemo, type Demo } from '../support/demo.ts';
import { wander } from '../support/newcomer.ts';

/** The most links in all that a newcomer follows beyond the shortest ways. */
const WRONG_TURNS_MAX = 3;

/**
 * The tasks of a new user of `npm run demo`, as the person whom its link signs in. The user goes from the overview to each
 * place by the words of the task (`wander`), and then uses only buttons and fields by the names that a person reads.
 */
describe('tasks in the console of the demo', () => {
  let demo: Demo;
  let browser: Browser;
  let page: Page;
  let overview: string;
  const wrongTurns: Record<string, number> = {};

  before(async function () {
    if (!hasBrowser()) this.skip();
    demo = await startDemo();
    browser = await launchBrowser();
    page = await browser.newPage();
    page.setDefaultTimeout(60_000);
    await page.goto(demo.link);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    overview = page.url();
  });
  beforeEach(() => page.goto(overview));
  after(async () => {
    await browser?.close();
    await demo?.stop();
  });

  /** Goes to the place of a task, and counts the links beyond the shortest way. */
  const reach = async (task: string, shortest: number, isThere: () => Promise<boolean>) => {
    const clicks = await wander(page, task, isThere);
    wrongTurns[task] = clicks - shortest;
  };
  const has = (role: 'button', name: string) => () =>
    page.getByRole(role, { name, exact: true }).first().isVisible();
  const hasField = (name: string) => () => page.getByLabel(name, { exact: true }).isVisible();
  const press = (name: string) => page.getByRole('button', { name, exact: true }).first().click();
  const main = () => page.textContent('main');

  it('submits a forecast, and exports its plot', async () => {
    await reach('Submit a new run that forecasts the GDP, and export its plot', 2, hasField('Metric'));
    await page.getByLabel('Metric').fill('economics.GDPC1');
    await page.getByLabel('Horizon').fill('8');
    await press('Submit the run');
    await page.getByText('sealed').first().waitFor();
    const [download] = await Promise.all([page.waitForEvent('download'), press('SVG')]);
    expect(download.suggestedFilename()).to.match(/\.svg$/);
  });

  it('approves a delegation that waits for its vote', async () => {
    const task = 'Approve the delegation of collateral that waits for your vote';
    await reach(task, 1, has('button', 'Approve these terms'));
    await press('Approve these terms');
    await page.getByText('The delegation is active.').waitFor();
  });

  it('finds why a delegation is not for it to approve', async () => {
    const row = page
      .getByRole('row')
      .filter({ has: page.locator('[title]') })
      .first();
    await reach('Find out why you may not approve the other delegation', 1, () => row.isVisible());
    expect(await row.locator('[title]').getAttribute('title')).to.match(/^[A-Z].*\.$/);
    await row.getByRole('link', { name: /^dlg_/ }).click();
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.getByRole('button', { name: 'Approve these terms', exact: true }).count()).to.equal(0);
  });

  it('verifies an evidence pack', async () => {
    await reach('Verify the evidence pack', 1, has('button', 'Verify in this browser'));
    await press('Verify in this browser');
    await page.getByText('signed by a published key').waitFor();
  });

  it('reads the GDP as it was known on a past day', async () => {
    const task = 'See which values the series of the GDP had on a past day';
    await reach(task, 2, hasField('Known on'));
    await page.getByLabel('Known on', { exact: true }).fill('2020-06-30');
    await page.getByLabel('Known on', { exact: true }).press('Enter');
    await page.waitForURL(/as_of=2020-06-30/);
    expect(await main()).to.include('2020-06-30');
  });

  it('cancels a run', async () => {
    await page.getByRole('link', { name: 'New run', exact: true }).click();
    await page.getByRole('link', { name: 'Simulations', exact: true }).click();
    await page
      .getByLabel('Source')
      .fill('{"kind": "parametric", "means": [0.005], "covariance": [[0.002]], "law": "normal"}');
    await page.getByLabel('Horizon').fill('600');
    await page.getByText(/^Optional fields/).click();
    await page.getByLabel(/^Paths/).fill('100000');
    await press('Submit the run');
    await page.getByRole('button', { name: 'Cancel the run' }).waitFor();
    await page.goto(overview);
    await reach('Cancel the simulation that has not ended', 1, has('button', 'Cancel the run'));
    await press('Cancel the run');
    await page.getByText('The run was cancelled').first().waitFor();
  });

  it('compares two forecasts', async () => {
    await page.getByRole('link', { name: 'Runs', exact: true }).click();
    const uids = (await page.getByRole('link', { name: /^fct_/ }).allTextContents()).map((text) =>
      text.trim(),
    );
    await page.goto(overview);
    await reach('Compare the two forecasts', 1, hasField('First run'));
    await page.getByLabel('First run').fill(uids[0]!);
    await page.getByLabel('Second run').fill(uids[1]!);
    await press('Compare');
    await page.getByRole('heading', { name: 'Inputs', exact: true }).waitFor();
    expect(await main()).to.include('horizon');
  });

  it('resolves an exception', async () => {
    await reach('Resolve the exception of the settlement', 2, has('button', 'Resolve'));
    await page.getByLabel('Reason, needed to resolve or waive').fill('The custodian corrected it');
    await page.getByLabel('Reference to the evidence, needed to resolve').fill('MT548-1');
    await press('Resolve');
    await page.getByText('The exception was resolved.').waitFor();
  });

  it('checks the proof of an entry of the audit log', async () => {
    await reach('Check the proof of an entry in the audit log', 2, has('button', 'Verify in this browser'));
    await press('Verify in this browser');
    await page.locator('.verdict.good').waitFor();
  });

  it('adds a passkey of this device, and a second one of a security key', async () => {
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    const device = await addAuthenticator(devtools, 'internal');
    await reach('Add a second passkey to your account', 1, hasField('Name of the passkey'));
    await page.getByLabel('Name of the passkey').fill('Laptop');
    await press('Add a passkey');
    await page.getByText('The passkey was added.').waitFor();
    // The person touches the key to add it, then the device to confirm the change with the first passkey.
    await addAuthenticator(devtools, 'usb');
    const touch = (enabled: boolean) =>
      devtools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId: device, enabled });
    await touch(false);
    page.on('request', (request) => void (request.url().endsWith('/add/challenge') && touch(true)));
    await page.getByLabel('Name of the passkey').fill('Key');
    await press('Add a passkey');
    const removals = page.getByRole('button', { name: /^Remove the passkey/ });
    await removals.nth(1).waitFor();
    expect(await removals.count()).to.equal(2);
  });

  it(`takes at most ${WRONG_TURNS_MAX} wrong turns in all`, () => {
    const sum = Object.values(wrongTurns).reduce((total, each) => total + each, 0);
    expect(Object.keys(wrongTurns)).to.have.length(10);
    expect(sum, JSON.stringify(wrongTurns)).to.be.at.most(WRONG_TURNS_MAX);
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
