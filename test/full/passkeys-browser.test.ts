import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { assay } from '../support/cli.ts';
import { hasBrowser, launchBrowser, openPage, violations } from '../support/browser.ts';
import { startConsole, type Console } from '../support/console.ts';
import { operatorsOf } from '../support/control.ts';
import { draft, governedSample, type Sample } from '../support/govern.ts';
import { onOneBackend } from '../support/live.ts';
import { spend } from '../support/spend.ts';

onOneBackend('passkeys in a browser', function (live) {
  let console: Console;
  let browser: Browser;
  let sample: Sample;
  let page: Page;
  let setVerified: (isUserVerified: boolean) => Promise<void>;
  const faults: string[] = [];

  before(async function () {
    if (!hasBrowser()) this.skip();
    const started = await startConsole(live());
    // Browsers bind passkeys to host names and not to addresses.
    console = { ...started, url: started.url.replace('127.0.0.1', 'localhost') };
    sample = await governedSample(live());
    const operators = operatorsOf(live(), sample);
    await operators.role('payments');
    const { person } = await operators.voter('payments');
    await operators.graph('one-node', 'obligation.pay', [{ quorum: 1, roles: ['payments'] }]);
    browser = await launchBrowser();
    page = await openPage(browser, console, await console.signIn(person));
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    page.on('pageerror', (error) => faults.push(error.message));
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    setVerified = (isUserVerified) =>
      devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }).then(() => undefined);
  });
  after(async () => {
    await browser?.close();
    await console?.stop();
  });

  it('are added on the page of the account', async () => {
    await page.goto(`${console.url}/console/account`);
    expect(await violations(page)).to.deep.equal([]);
    await page.fill('input[name="name"]', 'Laptop');
    await page.click('button:has-text("Add a passkey")');
    await page.waitForSelector('.notice.ok');
    expect(await page.textContent('main'))
      .to.include('Laptop')
      .and.to.include('registered');
    expect(await violations(page)).to.deep.equal([]);
  });

  it('sign a vote, and no vote without the verification of the person', async () => {
    const { body } = await draft(live(), sample);
    await page.goto(`${console.url}/console/delegations/${body.uid}`);
    expect(await violations(page)).to.deep.equal([]);
    await setVerified(false);
    await page.click('button.primary');
    await page.waitForSelector('form.decide [data-fault]:has-text("No passkey was used")');
    await setVerified(true);
    await page.click('button.primary');
    await page.waitForSelector('.notice.ok');
    expect(await page.textContent('main')).to.include('console, passkey');
    expect((await spend(live().orm('operator'), body.uid, { amount: 100 })).ok).to.equal(true);
    await assay(live(), 'delegation', 'revoke', body.uid, '--reason', 'test');
  });

  it('open a session without a link', async () => {
    await page.context().clearCookies();
    await page.goto(`${console.url}/console`);
    expect(await violations(page)).to.deep.equal([]);
    await page.click('button:has-text("Sign in with a passkey")');
    await page.waitForSelector('.side');
    expect(page.url()).to.equal(`${console.url}/console`);
  });

  it('cause no error and break no policy of the pages', () => {
    expect(faults.filter((text) => !/status of 40[13]/.test(text))).to.deep.equal([]);
  });
});
