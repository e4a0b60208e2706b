import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { codeAt } from '#lib/access/one-time-code.ts';
import { hasBrowser, launchBrowser } from '../support/browser.ts';
import { assay } from '../support/cli.ts';
import { clientOf } from '../support/client.ts';
import { fieldsOf, startConsole, type Console } from '../support/console.ts';
import { operatorsOf } from '../support/control.ts';
import { draft, governedSample, type Sample } from '../support/govern.ts';
import { onOneBackend } from '../support/live.ts';

const STEP_MS = 30_000;

onOneBackend('decisions by code in a browser without scripts', function (live) {
  let console: Console;
  let browser: Browser;
  let sample: Sample;
  let page: Page;
  let secret: string;
  /** The number of codes that were used. Each code is accepted once. */
  let used = 0;

  before(async function () {
    if (!hasBrowser()) this.skip();
    console = await startConsole(live());
    sample = await governedSample(live());
    const operators = operatorsOf(live(), sample);
    await operators.role('payments');
    const { person } = await operators.voter('payments');
    await operators.graph('one-node', 'obligation.pay', [{ quorum: 1, roles: ['payments'] }]);
    browser = await launchBrowser();
    const context = await browser.newContext({ javaScriptEnabled: false });
    const [name = '', value = ''] = (await console.signIn(person)).split('=');
    await context.addCookies([{ name, value, url: console.url }]);
    page = await context.newPage();
    secret = (await assay(live(), 'person', 'enrol', person, '--json')).json.secret;
  });
  after(async () => {
    await browser?.close();
    await console?.stop();
  });

  /** Returns a code that was not used yet: the code of the previous, the current, and then the next half minute. */
  const code = () => codeAt(secret, new Date(Date.now() + (used++ - 1) * STEP_MS));
  const drafted = async (changes: Record<string, unknown> = {}) => {
    const { status, body } = await draft(live(), sample, changes);
    expect(status, JSON.stringify(body)).to.equal(201);
    return body.uid as string;
  };
  const stateOf = async (uid: string) =>
    (await clientOf(live(), sample.applications.drafter.api_key).get(`/actions/agentic/delegations/${uid}`))
      .body.state;
  const open = (uid: string) => page.goto(`${console.url}/console/delegations/${uid}`);
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();

  it('ask for the code in the form, and keep the reason if the code is wrong', async () => {
    const uid = await drafted();
    await open(uid);
    await page.getByLabel('Reason, needed to reject').fill('No budget');
    await page.getByLabel('One-time code').fill('000000');
    const [answer] = await Promise.all([page.waitForResponse('**/reject'), press('Reject')]);
    expect(answer.status()).to.equal(403);
    expect(await page.textContent('.notice.bad')).to.include('code_invalid');
    expect(await page.getByLabel('Reason, needed to reject').inputValue()).to.equal('No budget');
    await page.getByLabel('One-time code').fill(code());
    await press('Reject');
    expect(await page.textContent('.notice.ok')).to.include('The draft was rejected.');
    expect(await stateOf(uid)).to.equal('rejected');
  });

  it('answer 412 with the difference for other terms, then approve the shown terms with the next code', async () => {
    const [seen, other] = [await drafted({ execution_mode: 'dry_run' }), await drafted()];
    await open(seen);
    const shown = fieldsOf(await page.content(), `/console/delegations/${seen}/`);
    await open(other);
    await page.route('**/approve', (route) => {
      const form = new URLSearchParams(route.request().postData() ?? '');
      form.set('terms', shown['terms']!);
      form.set('terms_hash', shown['terms_hash']!);
      return route.continue({ postData: form.toString() });
    });
    await page.getByLabel('One-time code').fill(code());
    const [answer] = await Promise.all([page.waitForResponse('**/approve'), press('Approve these terms')]);
    expect(answer.status()).to.equal(412);
    expect((await page.textContent('.notice.bad'))!.replaceAll(/\s+/g, ' ')).to.match(
      /execution.mode ?dry.run ?supervised/,
    );
    expect(await stateOf(other)).to.equal('draft');
    await page.unroute('**/approve');
    await page.getByLabel('One-time code').fill(code());
    await press('Approve these terms');
    expect(await page.textContent('.notice.ok')).to.include('The delegation is active.');
    expect(await stateOf(other)).to.equal('activated');
  });
});
