import { expect } from 'chai';
import { request } from 'node:http';
import { pages } from '#api/console/pages.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { formOf, startConsole, type Console } from '../../support/console.ts';
import { markupFaults } from '../../support/markup.ts';
import { onOneBackend } from '../../support/live.ts';

onOneBackend('the browser console', (live) => {
  let console: Console;
  let tenancy: Tenancy;
  let cookie: string;

  before(async () => {
    console = await startConsole(live());
    tenancy = await buildTenancy(live());
    cookie = await console.signIn(tenancy.person);
  });
  after(() => console.stop());

  const get = (path: string, headers: Record<string, string> = { cookie }) => console.ask(path, { headers });
  const textOf = async (answer: Response) => answer.text();

  it('opens one session with a link, and none with a used or unknown link', async () => {
    const { json } = await assay(live(), 'person', 'console-link', tenancy.person, '--json');
    const link = new URL(json.link).hash.slice(1);
    const first = await console.ask('/console/sign-in', formOf({ link }));
    expect(first.status).to.equal(303);
    expect(first.headers.get('set-cookie')).to.match(
      /^assay-console=[0-9A-Za-z]{43}; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    const second = await console.ask('/console/sign-in', formOf({ link }));
    expect(second.status).to.equal(403);
    expect(await textOf(second)).to.include('was used before');
    const unknown = await console.ask('/console/sign-in', formOf({ link: 'x'.repeat(43) }));
    expect(unknown.status).to.equal(403);
    const audited = await assay(
      live(),
      'audit',
      'list',
      '--workspace',
      tenancy.workspace,
      '--subject',
      tenancy.person,
      '--json',
    );
    const ops = audited.json.data.map(({ op }: { op: string }) => op);
    expect(ops).to.include.members(['person.console_link_issued', 'person.signed_in']);
  });

  it('shows every list to a signed-in person, and the sign-in page to anybody else', async () => {
    const lists = pages
      .map(({ path }) => path)
      .filter((path) => !path.includes(':') && path !== '/console/find');
    expect(lists.length).to.be.greaterThan(10);
    for (const path of lists) {
      const answer = await get(path);
      expect(answer.status, path).to.equal(200);
      expect(answer.headers.get('content-security-policy'), path).to.include("default-src 'none'");
      const text = await textOf(answer);
      expect(text, path).to.include('aria-current="page"');
      expect(await markupFaults(text), path).to.deep.equal([]);
    }
    const stranger = await get('/console', {});
    expect(stranger.status).to.equal(401);
    const signIn = await textOf(stranger);
    expect(signIn).to.not.include(tenancy.workspace);
    expect(signIn, 'no identity provider is configured').to.not.include('/console/sign-in/oidc');
    const begun = await console.ask('/console/sign-in/oidc', formOf({}));
    expect([begun.status, begun.headers.get('set-cookie')]).to.deep.equal([401, null]);
    expect(await markupFaults(signIn)).to.deep.equal([]);
  });

  it('answers 404 for runs and records of another workspace, as for unknown ones', async () => {
    const other = await buildTenancy(live());
    const { json } = await assay(
      live(),
      'counterparty',
      'create',
      '--workspace',
      other.workspace,
      '--name',
      'Acme',
      '--json',
    );
    expect(json.id).to.be.a('number');
    for (const path of [
      '/console/runs/tfr_01K8XQ5W3ZJ6T9R2M4N7P0QABC',
      '/console/runs/xxx_01K8XQ5W3ZJ6T9R2M4N7P0QABC',
      '/console/delegations/dlg_01K8XQ5W3ZJ6T9R2M4N7P0QABC',
      '/console/nothing',
      '/console/find?q=unknown',
    ]) {
      const answer = await get(path);
      expect(answer.status, path).to.equal(404);
      expect(await markupFaults(await textOf(answer)), path).to.deep.equal([]);
    }
  });

  it('refuses forms of other sites, requests to other hosts, and credentials of applications', async () => {
    const foreign = await console.ask(
      '/console/sign-out',
      formOf({}, { cookie, 'sec-fetch-site': 'cross-site' }),
    );
    expect(foreign.status).to.equal(403);
    const forged = await console.ask('/console/sign-out', formOf({ token: 'forged' }, { cookie }));
    expect(forged.status).to.equal(403);
    expect((await get('/console')).status).to.equal(200);
    const bearer = await get('/console', { cookie, authorization: `Bearer ${tenancy.key}` });
    expect(bearer.status).to.equal(400);
    expect(await statusFor(console.url, 'rebound.example')).to.equal(421);
  });

  it('replaces a session cookie that the browser sends at sign-in, and lets no site frame a page', async () => {
    const planted = `assay-console=${'x'.repeat(43)}`;
    const { json } = await assay(live(), 'person', 'console-link', tenancy.person, '--json');
    const link = new URL(json.link).hash.slice(1);
    const opened = await console.ask('/console/sign-in', formOf({ link }, { cookie: planted }));
    const [own = ''] = opened.headers.get('set-cookie')!.split(';');
    expect(own).to.not.equal(planted);
    expect(own).to.not.include(link);
    expect((await get('/console', { cookie: planted })).status).to.equal(401);
    const page = await get('/console', { cookie: own });
    expect([page.status, page.headers.get('x-frame-options')]).to.deep.equal([200, 'DENY']);
    expect(page.headers.get('content-security-policy')).to.include("frame-ancestors 'none'");
    expect(page.headers.get('access-control-allow-origin')).to.equal(null);
  });

  it('changes nothing on a GET of the URL of a decision', async () => {
    for (const path of ['/console/runs/tfr_01K8XQ5W3ZJ6T9R2M4N7P0QABC/cancel', '/console/sign-out'])
      expect((await get(path)).status, path).to.equal(404);
    expect((await get('/console')).status).to.equal(200);
  });

  it('gives a session cookie no rights at the API', async () => {
    const answer = await fetch(`${live().url}/api/v2/quant/compute/jobs`, { headers: { cookie } });
    expect(answer.status).to.equal(401);
  });

  it('ends the sessions of a person who is suspended, the session that a person closes, and all sessions on request', async () => {
    const { person } = await buildTenancy(live(), { workspace: tenancy.workspace });
    const own = await console.signIn(person);
    expect((await get('/console', { cookie: own })).status).to.equal(200);
    const page = await textOf(await get('/console', { cookie: own }));
    const token = /name="token" value="([^"]+)"/.exec(page)![1]!;
    const closed = await console.ask('/console/sign-out', formOf({ token }, { cookie: own }));
    expect(closed.status).to.equal(200);
    expect((await get('/console', { cookie: own })).status).to.equal(401);

    const again = await console.signIn(person);
    const other = await console.signIn(person);
    const account = await textOf(await get('/console/account', { cookie: again }));
    const everywhere = /name="token" value="([^"]+)"[^>]*>\s*<input\s+type="hidden"\s+name="everywhere"/.exec(
      account,
    )![1]!;
    const forged = formOf({ token, everywhere: 'yes' }, { cookie: again });
    expect((await console.ask('/console/sign-out', forged)).status).to.equal(403);
    expect((await get('/console', { cookie: other })).status).to.equal(200);
    await console.ask(
      '/console/sign-out',
      formOf({ token: everywhere, everywhere: 'yes' }, { cookie: again }),
    );
    for (const each of [again, other]) expect((await get('/console', { cookie: each })).status).to.equal(401);

    const last = await console.signIn(person);
    await assay(
      live(),
      'person',
      'suspend',
      person,
      '--workspace',
      tenancy.workspace,
      '--as',
      tenancy.person,
      '--reason',
      'left',
    );
    expect((await get('/console', { cookie: last })).status).to.equal(401);
  });
});

/** Returns the status of a request whose `Host` names another site. `fetch` does not let a caller set this header. */
function statusFor(url: string, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(`${url}/console`, { headers: { host } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    })
      .on('error', reject)
      .end();
  });
}
