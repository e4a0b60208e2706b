import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { buildTenancy } from '../support/build.ts';
import { hasBrowser, launchBrowser, violations } from '../support/browser.ts';
import { assay } from '../support/cli.ts';
import { startConsole, type Console } from '../support/console.ts';
import { onOneBackend } from '../support/live.ts';
import { openIdentityProvider, type IdentityProvider } from '../support/oidc-provider.ts';

onOneBackend('sign-in at an identity provider in a browser', function (live) {
  let provider: IdentityProvider;
  let console: Console;
  let browser: Browser;
  let page: Page;
  const subject = `browser-${process.pid}`;
  const faults: string[] = [];

  before(async function () {
    if (!hasBrowser()) this.skip();
    provider = await openIdentityProvider();
    const started = await startConsole(live(), provider.settings);
    // For a browser, the address of the provider and this name are two sites.
    console = { ...started, url: started.url.replace('127.0.0.1', 'localhost') };
    provider.serve(console.url);
    const { person } = await buildTenancy(live());
    await assay(
      live(),
      ...['person', 'identity', 'add', person, '--issuer', provider.issuer, '--subject', subject],
    );
    browser = await launchBrowser();
    page = await (await browser.newContext()).newPage();
    page.on('console', (message) => {
      if (message.type() === 'error' && page.url().startsWith(console.url)) faults.push(message.text());
    });
    page.on('pageerror', (error) => faults.push(error.message));
  });
  after(async () => {
    await browser?.close();
    await console?.stop();
    await provider?.close();
  });

  it('leads to the provider and back to the requested page, with the session', async () => {
    await page.goto(`${console.url}/console/account`);
    expect(await violations(page)).to.deep.equal([]);
    await page.click('button:has-text("Sign in with Acme Login")');
    await page.waitForURL(`${provider.issuer}/**`);
    await page.fill('input[name=login]', subject);
    await page.fill('input[name=password]', 'any');
    await page.click('button[type=submit]');
    await page.waitForSelector('input[name=prompt][value=consent]', { state: 'attached' });
    await page.click('button[type=submit]');
    await page.waitForSelector('.side');
    expect(page.url()).to.equal(`${console.url}/console/account`);
    const cookies = await page.context().cookies(`${console.url}/console/sign-in/oidc`);
    expect(cookies.map(({ name, sameSite }) => [name, sameSite])).to.deep.equal([
      ['assay-console', 'Strict'],
    ]);
  });

  it('breaks no policy of the pages', () => {
    expect(faults.filter((text) => !/status of 401/.test(text))).to.deep.equal([]);
  });

  it('signs out of the console, then at the provider', async () => {
    await page.click('form[action="/console/sign-out"] button');
    await page.waitForSelector('a:has-text("Sign out there as well")');
    expect(await violations(page)).to.deep.equal([]);
    await page.click('a:has-text("Sign out there as well")');
    await page.waitForURL(`${provider.issuer}/session/end**`);
  });
});
