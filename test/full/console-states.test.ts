import { expect } from 'chai';
import { Client } from 'pg';
import type { Browser, Page } from 'playwright-core';
import { pages } from '#api/console/pages.ts';
import { applyGrants } from '#lib/database/grants.ts';
import { roleName } from '#lib/database/roles.ts';
import { buildTenancy, type Tenancy } from '../support/build.ts';
import { hasBrowser, launchBrowser, openPage, violations } from '../support/browser.ts';
import { assay } from '../support/cli.ts';
import { userOf } from '../support/client.ts';
import { fillConsole, plainPages, recordPlaces } from '../support/console-content.ts';
import { startConsole, type Console } from '../support/console.ts';
import { importTiny } from '../support/import.ts';
import { onOneBackend } from '../support/live.ts';
import { createDecision } from '../support/policy-record.ts';
import { createQuestionAnswers } from '../support/qlm.ts';
import { markupFaults } from '../support/markup.ts';
import { asSuperuser } from '../support/rows.ts';

/**
 * The states of a page: all content (`ok`), no content yet (`empty`), content that still changes (`loading`), content that
 * is old or waits for long (`stale`), a request that is not valid (`refused`), a read that fails (`failed`), and a
 * workspace without the product (`not_entitled`).
 */
const states = ['ok', 'empty', 'loading', 'stale', 'refused', 'failed', 'not_entitled'] as const;
type State = (typeof states)[number];

/** The pages on which a state occurs besides the general rule, and the reason why it occurs on no other page. */
const rules: Readonly<
  Record<State, { only?: readonly string[]; never?: readonly string[]; because: string }>
> = {
  ok: { never: ['/console/find'], because: 'Find only redirects.' },
  empty: {
    never: [
      '/console/account',
      '/console/audit',
      '/console/benchmarks',
      '/console/data',
      '/console/entitlements',
      '/console/events',
      '/console/find',
      '/console/graphs',
      '/console/keys',
      '/console/library',
      '/console/listings',
      '/console/new',
      '/console/posture',
      '/console/models',
      '/console/usage',
      '/console/calls',
    ],
    because: 'The page shows what every workspace has. A page of a record exists only with the record.',
  },
  loading: {
    only: ['/console/jobs', '/console/runs', '/console/runs/:uid', '/console'],
    because: 'The server answers with whole pages. Only runs that have not ended still change.',
  },
  stale: {
    only: ['/console/jobs'],
    because: 'Other pages are read when they are opened, and show the time of their figures.',
  },
  refused: {
    never: [
      '/console',
      '/console/account',
      '/console/approvals',
      '/console/jobs',
      '/console/keys',
      '/console/new',
      '/console/posture',
      '/console/lineage',
      '/console/series',
    ],
    because: 'The page has no parameter and no form that could be refused.',
  },
  failed: {
    never: ['/console/compare', '/console/find', '/console/new/:kind', '/console/new'],
    because: 'The page reads no record.',
  },
  not_entitled: {
    never: [
      '/console/account',
      '/console/approvals',
      '/console/audit',
      '/console/compare',
      '/console/events',
      '/console/find',
      '/console/keys',
      '/console/lineage',
      '/console/new',
      '/console/new/:kind',
      '/console/new/models/:key',
    ],
    because: 'The page belongs to every workspace, whatever its entitlements.',
  },
};

const cases = (state: State) => pages.map(({ path }) => path).filter((path) => occurs(state, path));
const occurs = (state: State, path: string): boolean => {
  const { only, never } = rules[state];
  if (only) return only.includes(path);
  if (state === 'empty' && path.includes(':')) return false;
  return !never?.includes(path);
};

onOneBackend('the states of the pages of the console', function (live) {
  let console: Console;
  let browser: Browser;
  let full: Tenancy;
  const cookies = new Map<'full' | 'fresh' | 'bare', string>();
  /** An address of each page in the filled workspace, by its path. */
  const examples = new Map<string, string>();
  const open: string[] = [];
  const faults: string[] = [];

  before(async function () {
    if (!hasBrowser()) this.skip();
    console = await startConsole(live());
    full = await buildTenancy(live());
    const [fresh, bare] = [await buildTenancy(live()), await buildTenancy(live())];
    const set = await assay(live(), 'workspace', 'set-entitlements', bare.workspace, 'workspace:read');
    expect(set.status, set.stderr).to.equal(0);
    await importTiny(live(), full.workspace);
    const { runs, faults: missing } = await fillConsole(live(), full);
    expect(missing).to.deep.equal([]);
    for (const [name, { person }] of Object.entries({ full, fresh, bare }))
      cookies.set(name as 'full', await console.signIn(person));
    const places = [...plainPages, ...(await recordPlaces(console, cookies.get('full')!))];
    places.push(`/console/runs/${runs[0]}`, `/console/trace/${runs[0]}`, '/console/new/planning.forecasts');
    const { model, answer } = await createQuestionAnswers(live(), full, 1);
    places.push('/console/new/models/ets', `/console/qlms/${model}/${answer}`);
    places.push(`/console/decisions/${await createDecision(live(), full)}`);
    for (const { path } of pages) {
      const pattern = new RegExp(`^${path.replaceAll(/:\w+/g, '[^/?]+')}$`);
      const place = places.find((each) => pattern.test(each) && (path.includes(':') || each === path));
      if (place) examples.set(path, place);
    }
    process.kill(live().pid('worker-numerics-1')!, 'SIGSTOP');
    open.push((await userOf(live(), full.key).submit('/investment/theme-watch/factors')).uid);
    browser = await launchBrowser();
  });
  after(async () => {
    process.kill(live().pid('worker-numerics-1')!, 'SIGCONT');
    await browser?.close();
    await console?.stop();
  });

  const signedIn = async (who: 'full' | 'fresh' | 'bare') => {
    const page = await openPage(browser, console, cookies.get(who)!);
    page.on('pageerror', (error) => faults.push(`${page.url()}: ${error.message}`));
    return page;
  };
  /** Loads a page, and looks at it in both widths and both themes. Every page has a heading, and fits its width. */
  const look = async (page: Page, place: string, title: string) => {
    const answer = (await page.goto(`${console.url}${place}`, { waitUntil: 'load' }))!;
    for (const width of [1280, 390])
      for (const theme of ['light', 'dark']) {
        await page.setViewportSize({ width, height: 800 });
        await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
        const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
        expect(overflow, `${title}, ${width}, ${theme}`).to.be.at.most(0);
      }
    expect(await page.locator('h1').count(), title).to.equal(1);
    return {
      status: answer.status(),
      source: await answer.text(),
      main: (await page.textContent('main')) ?? '',
    };
  };
  /** Looks at each page on which a state occurs. Names all faults at once. */
  const eachPage = async (state: State, check: (path: string) => Promise<void>) => {
    const found: string[] = [];
    for (const path of cases(state))
      await check(path).catch((error: Error) => found.push(`${path}: ${error.message.slice(0, 300)}`));
    expect(found, state).to.deep.equal([]);
  };

  it('name the reason for each state that a page cannot have, and cover every other state of every page', () => {
    for (const state of states) {
      const { only = [], never = [], because } = rules[state];
      expect(because, state).to.match(/^[A-Z].*\.$/);
      for (const path of [...only, ...never])
        expect(
          pages.map((page) => page.path),
          state,
        ).to.include(path);
    }
    const missing = cases('ok').filter((path) => !examples.has(path));
    expect(missing).to.deep.equal([]);
  });

  it('ok: every page shows its content without a violation of WCAG 2.2 AA', async () => {
    const page = await signedIn('full');
    await eachPage('ok', async (path) => {
      const { status, source } = await look(page, examples.get(path)!, path);
      expect(status, path).to.equal(200);
      expect(await markupFaults(source), path).to.deep.equal([]);
      expect(await violations(page), path).to.deep.equal([]);
    });
  });

  it('empty: every list says that it is empty, and how the first record is created', async () => {
    const page = await signedIn('fresh');
    await eachPage('empty', async (path) => {
      const { status } = await look(page, path, path);
      expect(status, path).to.equal(200);
      expect(await page.locator('.empty').count(), path).to.be.at.least(1);
      expect(await violations(page), path).to.deep.equal([]);
    });
  });

  it('loading and stale: the pages of open runs show their progress and a long wait', async () => {
    await asSuperuser(live(), (client) =>
      client.query(
        `with old as (update dispatch set admitted_at = now() - interval '1 hour' where run_uid = $1)
         update run set created_at = now() - interval '2 hours' where uid = $1`,
        [open[0]],
      ),
    );
    const page = await signedIn('full');
    await eachPage('loading', async (path) => {
      const { status } = await look(page, path.replace(':uid', open[0]!), path);
      expect(status, path).to.equal(200);
      expect(await page.locator(`[data-live="${open[0]}"]`).count(), path).to.be.at.least(1);
      expect(await violations(page), path).to.deep.equal([]);
    });
    await eachPage('stale', async (path) => {
      await look(page, path, path);
      expect(await page.locator('td .pill.warn:has-text("a worker")').count(), path).to.be.at.least(1);
      expect(await violations(page), path).to.deep.equal([]);
    });
  });

  it('refused: an unknown record and a parameter that is not valid have a page with the reason', async () => {
    const page = await signedIn('full');
    const broken =
      'cursor=broken&state=broken&kind=broken&granularity=broken&a=broken&b=broken&as_of=broken&q=broken&meter=broken&op=BROKEN%00';
    await eachPage('refused', async (path) => {
      const place = path.includes(':') ? path.replaceAll(/:\w+/g, 'unknown') : `${path}?${broken}`;
      const { status, main } = await look(page, place, path);
      expect(status, path).to.be.within(400, 422);
      expect(main, path).to.match(/Request req_\w+, code \w+/);
      expect(await violations(page), path).to.deep.equal([]);
    });
  });

  it('not entitled: every page of a product that the workspace does not have says what is missing', async () => {
    const page = await signedIn('bare');
    await eachPage('not_entitled', async (path) => {
      const { status, main } = await look(page, examples.get(path)!, path);
      expect([status, /Not included|Not found/.test(main)], path).to.deep.equal([
        status === 404 ? 404 : 403,
        true,
      ]);
      expect(await violations(page), path).to.deep.equal([]);
    });
  });

  it('failed: a page whose records cannot be read has a page with the request', async () => {
    const page = await signedIn('full');
    const readable = ['console_session', 'person', 'workspace', 'workspace_move'];
    const owner = new Client({ connectionString: live().ownerUrl });
    await owner.connect();
    const database = new URL(live().ownerUrl).pathname.slice(1);
    const role = owner.escapeIdentifier(roleName(database, 'console'));
    const { rows } = await owner.query<{ name: string }>(
      `select tablename as name from pg_tables where schemaname = 'public' and tablename <> all ($1)`,
      [readable],
    );
    const tables = rows.map(({ name }) => owner.escapeIdentifier(name)).join(', ');
    await owner.query(`revoke select on ${tables} from ${role}`);
    try {
      await eachPage('failed', async (path) => {
        const { status, main } = await look(page, examples.get(path)!, path);
        expect(status, path).to.equal(500);
        expect(main, path).to.match(/Something went wrong[\s\S]*Request req_\w+, code internal_error/);
        expect(await violations(page), path).to.deep.equal([]);
      });
    } finally {
      await applyGrants(owner, database);
      await owner.end();
    }
  });

  it('cause no error in the browser', () => {
    expect(faults).to.deep.equal([]);
  });
});
