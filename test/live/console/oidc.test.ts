import { expect } from 'chai';
import { formToken } from '#api/console/session-cookie.ts';
import { sha256 } from '#lib/core/seal.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { formOf, startConsole, type Console } from '../../support/console.ts';
import { onOneBackend } from '../../support/live.ts';
import { markupFaults } from '../../support/markup.ts';
import { openIdentityProvider, type IdentityProvider } from '../../support/oidc-provider.ts';
import { authenticator } from '../../support/authenticator.ts';
import { enrolled } from '../../support/enrol.ts';
import { asSuperuser } from '../../support/rows.ts';

/** A sign-in that a browser began: its cookie, and the address at the provider. */
type Begun = { cookie: string; address: string };

onOneBackend('sign-in at an identity provider', (live) => {
  let provider: IdentityProvider;
  let console: Console;
  let tenancy: Tenancy;

  before(async () => {
    provider = await openIdentityProvider();
    console = await startConsole(live(), provider.settings);
    provider.serve(console.url);
    tenancy = await buildTenancy(live());
  });
  after(async () => {
    await console.stop();
    await provider.close();
  });

  const identity = (...words: string[]) => assay(live(), 'person', 'identity', ...words);
  const link = async (person: string, subject: string, by = tenancy.person) =>
    (
      await identity(
        ...['add', person, '--issuer', provider.issuer, '--subject', subject, '--as', by, '--json'],
      )
    ).json.uid as string;
  /** Creates another person of the workspace. */
  const colleague = async ({ workspace } = tenancy) => (await buildTenancy(live(), { workspace })).person;
  let count = 0;
  /** Returns a subject that no other test uses. */
  const subjectOf = (name: string) => `${name}-${process.pid}-${++count}`;

  const begin = async (fields: Record<string, string> = {}): Promise<Begun> => {
    const answer = await console.ask('/console/sign-in/oidc', formOf({ environment: 'sandbox', ...fields }));
    expect(answer.status).to.equal(200);
    const [cookie = ''] = answer.headers.get('set-cookie')!.split(';');
    return { cookie, address: leadsTo(await answer.text()) };
  };
  const comeBack = async (url: string, cookie?: string) => {
    const { pathname, search } = new URL(url);
    const headers = { 'sec-fetch-site': 'cross-site', ...(cookie !== undefined && { cookie }) };
    const answer = await console.ask(`${pathname}${search}`, { headers });
    const session = answer.headers.getSetCookie().find((line) => /^assay-console=\w/.test(line));
    return { status: answer.status, text: await answer.text(), session: session?.split(';')[0], answer };
  };
  const signIn = async (login: string, fields: Record<string, string> = {}) => {
    const { cookie, address } = await begin(fields);
    return comeBack(await provider.signIn(address, login), cookie);
  };
  const pageStatus = async (cookie: string) =>
    (await console.ask('/console', { headers: { cookie } })).status;
  const audited = async (subject: string, environment = 'sandbox', { workspace } = tenancy) => {
    const { json } = await assay(
      live(),
      ...['audit', 'list', '--workspace', workspace, '--environment', environment],
      ...['--subject', subject, '--json'],
    );
    return json.data as { op: string; outcome: { code: string | null }; details?: Record<string, unknown> }[];
  };

  it('opens a new session for the person of the identity, and records it in the audit log', async () => {
    const [subject, person] = [subjectOf('ann'), await colleague()];
    const uid = await link(person, subject);
    const { status, text, session, answer } = await signIn(subject, {
      return_to: '/console/runs?kind=forecast',
    });
    expect([status, leadsTo(text)]).to.deep.equal([200, '/console/runs?kind=forecast']);
    const cookies = answer.headers.getSetCookie();
    expect(cookies[0]).to.match(/^assay-console=[0-9A-Za-z]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
    expect(cookies[1]).to.match(/^assay-oidc=; Path=\/; HttpOnly; SameSite=Lax; Max-Age=0$/);
    expect(await pageStatus(session!)).to.equal(200);
    const again = await signIn(subject);
    expect(again.session).to.be.a('string').and.to.not.equal(session);
    const entry = (await audited(person)).find(({ op }) => op === 'person.signed_in');
    expect(entry!.details).to.include({ identity_uid: uid });
    const { json } = await identity('list', person, '--json');
    expect(json.data[0].used_at).to.be.a('string');
  });

  it('replaces a session cookie that was planted in the browser', async () => {
    const subject = subjectOf('fay');
    await link(await colleague(), subject);
    const planted = await signIn(subject);
    const { cookie, address } = await begin();
    const url = await provider.signIn(address, subject);
    const { session } = await comeBack(url, `${planted.session}; ${cookie}`);
    expect(session).to.be.a('string').and.to.not.equal(planted.session);
  });

  it('is offered on the sign-in page with a form of the console, and keeps the page that was requested', async () => {
    const answer = await console.ask('/console/runs?kind=forecast');
    const text = await answer.text();
    expect([answer.status, text.includes('Sign in with Acme Login')]).to.deep.equal([401, true]);
    expect(text).to.include('name="return_to" value="/console/runs?kind=forecast"');
    expect(answer.headers.get('content-security-policy')).to.include("form-action 'self';");
    expect(await markupFaults(text)).to.deep.equal([]);
    const begun = await console.ask('/console/sign-in/oidc', formOf({}));
    expect(begun.headers.get('set-cookie')).to.match(
      /^assay-oidc=[0-9A-Za-z]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600$/,
    );
    expect(begun.headers.get('content-security-policy')).to.include("form-action 'self';");
    expect(await markupFaults(await begun.text())).to.deep.equal([]);
    const foreign = await console.ask(
      '/console/sign-in/oidc',
      formOf({}, { 'sec-fetch-site': 'cross-site' }),
    );
    expect([foreign.status, foreign.headers.get('set-cookie')]).to.deep.equal([403, null]);
    const got = await console.ask('/console/sign-in/oidc');
    expect([got.status, got.headers.get('set-cookie')], 'GET begins nothing').to.deep.equal([401, null]);
  });

  it('leads to no other site after sign-in', async () => {
    const subject = subjectOf('eve');
    await link(await colleague(), subject);
    for (const page of ['https://evil.example', '//evil.example', '/\\evil.example', '/console/../../evil']) {
      const { text } = await signIn(subject, { return_to: page });
      expect(leadsTo(text), page).to.equal('/console');
    }
  });

  it('refuses a subject that nobody linked, also with the email address of a person, and records it', async () => {
    const subject = subjectOf('stranger');
    const { status, text, session } = await signIn(subject);
    expect([status, session]).to.deep.equal([403, undefined]);
    expect(text).to.include('not linked to a person').and.to.include(`--subject &#39;${subject}&#39;`);
    expect(await markupFaults(text)).to.deep.equal([]);
    const { json } = await identity('refused', '--json');
    const found = json.data.find((each: { subject: string }) => each.subject === subject);
    expect(found).to.include({ issuer: provider.issuer, code: 'identity_unknown', environment: 'sandbox' });

    const named = subjectOf('named');
    const created = await assay(
      live(),
      ...['person', 'create', '--workspace', tenancy.workspace, '--name', 'Named', '--roles', 'analyst'],
      ...['--email', `${named}@acme.example`, '--json'],
    );
    expect(created.json.uid).to.be.a('string');
    expect((await signIn(named)).status, 'the email address matches nothing').to.equal(403);
  });

  it('refuses an answer a second time, and a code in the flow of somebody else', async () => {
    const subject = subjectOf('ben');
    await link(await colleague(), subject);
    const first = await begin();
    const url = await provider.signIn(first.address, subject);
    expect((await comeBack(url, first.cookie)).status).to.equal(200);
    const replayed = await comeBack(url, first.cookie);
    expect([replayed.status, replayed.session]).to.deep.equal([403, undefined]);

    const stolen = new URL(await provider.signIn((await begin()).address, subject)).searchParams.get('code')!;
    const own = await begin();
    const ownUrl = new URL(await provider.signIn(own.address, subject));
    ownUrl.searchParams.set('code', stolen);
    const mixed = await comeBack(ownUrl.href, own.cookie);
    expect([mixed.status, mixed.session], 'PKCE binds a code to its flow').to.deep.equal([403, undefined]);
  });

  it('refuses an answer without its state, with a foreign one, from another issuer, and in another browser', async () => {
    const subject = subjectOf('cid');
    await link(await colleague(), subject);
    const [own, other] = [await begin(), await begin()];
    const url = await provider.signIn(own.address, subject);
    const changed = (change: (search: URLSearchParams) => void) => {
      const copy = new URL(url);
      change(copy.searchParams);
      return copy.href;
    };
    const foreign = new URL(other.address).searchParams.get('state')!;
    const refused: [string, string, string | undefined][] = [
      ['no state', changed((search) => search.delete('state')), own.cookie],
      ['a foreign state', changed((search) => search.set('state', foreign)), own.cookie],
      ['two states', changed((search) => search.append('state', foreign)), own.cookie],
      ['no cookie', url, undefined],
      ['the cookie of another flow', url, other.cookie],
      ['two cookies', url, `${other.cookie}; ${own.cookie}`],
      ['an invented cookie', url, `assay-oidc=${'x'.repeat(43)}`],
    ];
    for (const [name, address, cookie] of refused) {
      const { status, session, text } = await comeBack(address, cookie);
      expect([status, session], name).to.deep.equal([403, undefined]);
      expect(text, name).to.include('was not started in this browser');
    }
    expect((await comeBack(url, own.cookie)).status, 'none of these ended the flow').to.equal(200);

    const third = await begin();
    const answered = new URL(await provider.signIn(third.address, subject));
    expect(answered.searchParams.get('iss')).to.equal(provider.issuer);
    answered.searchParams.set('iss', 'https://evil.example');
    expect((await comeBack(answered.href, third.cookie)).status, 'mix-up').to.equal(403);
    answered.searchParams.set('iss', provider.issuer);
    expect((await comeBack(answered.href, third.cookie)).status, 'the flow has ended').to.equal(403);
  });

  it('refuses an answer after ten minutes', async () => {
    const subject = subjectOf('dan');
    await link(await colleague(), subject);
    const { cookie, address } = await begin();
    const url = await provider.signIn(address, subject);
    await asSuperuser(live(), (database) =>
      database.query(`update oidc_flow set expires_at = now() where flow_hash = $1`, [
        sha256(cookie.split('=')[1]!),
      ]),
    );
    expect((await comeBack(url, cookie)).status).to.equal(403);
  });

  it('opens production only for an identity that two persons linked, the second with a one-time code', async () => {
    const own = await buildTenancy(live());
    const [subject, person, third] = [subjectOf('gus'), await colleague(own), await colleague(own)];
    const uid = await link(person, subject, own.person);
    const production = { environment: 'production' };
    const early = await signIn(subject, production);
    expect([early.status, early.session]).to.deep.equal([403, undefined]);
    expect(early.text).to.include('A second person must confirm');
    const refusal = (await audited(person, 'production', own)).find(
      ({ op }) => op === 'person.sign_in_refused',
    );
    expect(refusal!.outcome.code).to.equal('identity_unconfirmed');
    const unproven = await identity('confirm', uid, '--as', third);
    expect(unproven.stderr, 'nobody has codes yet').to.match(/^person_not_enrolled: /);
    for (const by of [person, own.person]) {
      const proof = await enrolled(live(), by);
      expect((await identity('confirm', uid, ...proof())).stderr).to.match(/^identity_own: /);
    }
    const proof = await enrolled(live(), third);
    expect((await identity('confirm', uid, '--as', third)).stderr).to.match(/^code_invalid: /);
    const confirmed = await identity('confirm', uid, ...proof(), '--json');
    expect(confirmed.json).to.include({ state: 'confirmed', linked_by: own.person, confirmed_by: third });
    expect((await identity('confirm', uid, ...proof())).stderr).to.match(/^identity_not_linked: /);
    const { status, session } = await signIn(subject, production);
    expect(status).to.equal(200);

    const account = await (await console.ask('/console/account', { headers: { cookie: session! } })).text();
    expect(account).to.include('production').and.to.not.include('<dd>session');
    const token = /action="\/console\/account\/add"[\s\S]*?name="token" value="([^"]+)"/.exec(account)![1]!;
    const decided = await console.ask(
      '/console/account/add',
      formOf({ token, name: 'Key', registration: '' }, { cookie: session! }),
    );
    expect(decided.status, 'the identity provider alone confirms no decision').to.be.oneOf([403, 409]);
    expect(await decided.text()).to.include('code_invalid');
  });

  it('adds no passkey until a second person confirmed the identity, and its linker confirms no passkey', async () => {
    const own = await buildTenancy(live());
    const [subject, person, third] = [subjectOf('kim'), await colleague(own), await colleague(own)];
    const uid = await link(person, subject, own.person);
    const add = async (cookie: string) => {
      const send = (path: string, fields: Record<string, string>) =>
        console.ask(`/console/account/${path}`, formOf(fields, { cookie }));
      const options = (await (await send('registration', {})).json()) as never;
      const token = formToken(cookie.split('=')[1]!, '/console/account');
      const registration = authenticator().create(options, console.url);
      const answer = await send('add', { token, name: 'Key', registration });
      return { status: answer.status, text: await answer.text() };
    };
    const early = await add((await signIn(subject)).session!);
    expect([early.status, early.text.includes('identity_unconfirmed')]).to.deep.equal([403, true]);
    const [linker, confirmer] = [await enrolled(live(), own.person), await enrolled(live(), third)];
    expect((await identity('confirm', uid, ...confirmer())).status).to.equal(0);
    expect((await add((await signIn(subject)).session!)).status).to.equal(303);
    const passkeys = await assay(live(), 'person', 'passkeys', person, '--json');
    expect(passkeys.json.data).to.have.length(1);
    const confirm = (proof: string[]) =>
      assay(live(), 'person', 'confirm-passkey', passkeys.json.data[0].uid, ...proof, '--json');
    await identity('remove', uid);
    expect((await confirm(linker())).stderr, 'also once the link is removed').to.match(/^passkey_own: /);
    expect((await confirm(confirmer())).json).to.include({ state: 'confirmed', confirmed_by: third });
  });

  it('refuses a person who is suspended, and ends the sessions of an identity that is removed', async () => {
    const [subject, person] = [subjectOf('hal'), await colleague()];
    const uid = await link(person, subject);
    const { session } = await signIn(subject);
    const change = (event: string) =>
      assay(
        live(),
        ...['person', event, person, '--workspace', tenancy.workspace, '--as', tenancy.person],
        ...['--reason', 'test'],
      );
    await change('suspend');
    expect(await pageStatus(session!)).to.equal(401);
    const refused = await signIn(subject);
    expect([refused.status, refused.session]).to.deep.equal([403, undefined]);
    const entry = (await audited(person)).find(({ op }) => op === 'person.sign_in_refused');
    expect(entry!.outcome.code).to.equal('person_not_active');
    await change('reinstate');

    expect(await pageStatus(session!), 'a session does not open again').to.equal(401);
    const viaLink = await console.signIn(person);
    const reopened = (await signIn(subject)).session!;
    expect(await pageStatus(reopened)).to.equal(200);
    expect((await identity('remove', uid, '--json')).json).to.include({ uid, state: 'removed' });
    expect(await pageStatus(reopened)).to.equal(401);
    expect(await pageStatus(viaLink), 'a session by a link').to.equal(200);
    expect((await signIn(subject)).status).to.equal(403);
    expect((await identity('remove', uid)).stderr).to.match(/^identity_unknown: /);
    await link(person, subject);
    expect((await signIn(subject)).status, 'linked again').to.equal(200);
  });

  it("opens no other workspace than that of the identity's person, and links an identity once", async () => {
    const neighbour = await buildTenancy(live());
    const subject = subjectOf('ivy');
    await link(neighbour.person, subject, neighbour.person);
    const { session } = await signIn(subject);
    const page = await (await console.ask('/console/account', { headers: { cookie: session! } })).text();
    expect(page).to.include(neighbour.person).and.to.not.include(tenancy.workspace);
    const own = await colleague();
    const taken = await identity(
      ...['add', own, '--issuer', provider.issuer, '--subject', subject, '--as', tenancy.person],
    );
    expect(taken.stderr).to.match(/^identity_in_use: /);
    const foreign = await identity(
      ...['add', own, '--issuer', provider.issuer, '--subject', subjectOf('x'), '--as', neighbour.person],
    );
    expect(foreign.stderr).to.match(/^person_unknown: /);
    const unnamed = await identity('add', own, '--subject', subjectOf('y'));
    expect(unnamed.stderr).to.match(/^invalid_issuer: /);
  });

  it('offers to sign out at the provider as well', async () => {
    const subject = subjectOf('jim');
    const person = await colleague();
    await link(person, subject);
    const signOut = async (cookie: string) => {
      const page = await (await console.ask('/console', { headers: { cookie } })).text();
      const token = /name="token" value="([^"]+)"/.exec(page)![1]!;
      return (await console.ask('/console/sign-out', formOf({ token }, { cookie }))).text();
    };
    const { session } = await signIn(subject);
    const text = await signOut(session!);
    expect(text).to.include(`href="${provider.issuer}/session/end?client_id=`);
    expect(await markupFaults(text)).to.deep.equal([]);
    expect(await pageStatus(session!)).to.equal(401);
    expect(await signOut(await console.signIn(person))).to.not.include(provider.issuer);
  });

  it('answers 503 while the provider cannot be reached, and 429 after too many requests of an address', async () => {
    const alone = await startConsole(live(), {
      ...provider.settings,
      OIDC_ISSUER: 'http://127.0.0.1:9',
      RATE_LIMIT_FACTOR: '0.05',
    });
    const statuses = [];
    for (let sent = 0; sent < 4; sent += 1) {
      const answer = await alone.ask('/console/sign-in/oidc', formOf({}));
      expect(answer.headers.get('set-cookie')).to.equal(null);
      statuses.push(answer.status);
    }
    await alone.stop();
    expect(statuses).to.deep.equal([503, 503, 503, 429]);
  });
});

/** Returns the address that a page leads to at once. */
function leadsTo(page: string): string {
  const [, address = ''] = /http-equiv="refresh" content="0; url=([^"]+)"/.exec(page) ?? [];
  return address.replaceAll('&amp;', '&');
}
