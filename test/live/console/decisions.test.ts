import { expect } from 'chai';
import { formToken } from '#api/console/session-cookie.ts';
import { codeAt } from '#lib/access/one-time-code.ts';
import { assay } from '../../support/cli.ts';
import { clientOf } from '../../support/client.ts';
import { fieldsOf, formOf, startConsole, type Console } from '../../support/console.ts';
import { operatorsOf, type Voter } from '../../support/control.ts';
import { draft, governedSample, type Sample } from '../../support/govern.ts';
import { onOneBackend } from '../../support/live.ts';
import { spend } from '../../support/spend.ts';

onOneBackend('decisions on delegations in the console', (live) => {
  let console: Console;
  let sample: Sample;
  let anna: Voter & { cookie: string };
  let chef: Voter & { cookie: string };

  before(async () => {
    console = await startConsole(live());
    sample = await governedSample(live());
    const operators = operatorsOf(live(), sample);
    await operators.role('payments');
    await operators.role('treasurer');
    const signedIn = async (role: string) => {
      const voter = await operators.voter(role);
      return { ...voter, cookie: await console.signIn(voter.person) };
    };
    [anna, chef] = [await signedIn('payments'), await signedIn('treasurer')];
    await operators.graph('two-nodes', 'obligation.pay', [
      { quorum: 1, roles: ['payments'] },
      { quorum: 1, roles: ['treasurer'] },
    ]);
  });
  after(() => console.stop());

  const drafted = async (changes: Record<string, unknown> = {}) => {
    const { status, body } = await draft(live(), sample, changes);
    expect(status, JSON.stringify(body)).to.equal(201);
    return body.uid as string;
  };
  const page = async (path: string, { cookie }: { cookie: string }) => {
    const answer = await console.ask(path, { headers: { cookie } });
    return { status: answer.status, text: await answer.text() };
  };
  const decide = async (
    uid: string,
    name: string,
    { cookie }: { cookie: string },
    changes: Record<string, string> = {},
    headers: Record<string, string> = {},
  ) => {
    const path = `/console/delegations/${uid}`;
    const { text } = await page(path, { cookie });
    const token = formToken(cookie.split('=')[1]!, path);
    const fields = { ...fieldsOf(text, `${path}/`), token, ...changes };
    const answer = await console.ask(`${path}/${name}`, formOf(fields, { cookie, ...headers }));
    return { status: answer.status, location: answer.headers.get('location'), text: await answer.text() };
  };
  const delegationOf = async (uid: string) =>
    (await clientOf(live(), sample.applications.drafter.api_key).get(`/actions/agentic/delegations/${uid}`))
      .body;

  it('lets two persons approve a delegation, each in their own session, until it can be used', async () => {
    const uid = await drafted();
    const [mine] = (await page('/console/approvals', anna)).text.split('Wait for other persons');
    expect(mine).to.include(uid);
    const [, others] = (await page('/console/approvals', chef)).text.split('Wait for other persons');
    expect(others).to.include(uid).and.to.include('approval node not open');

    const { terms_hash } = await delegationOf(uid);
    const early = await decide(uid, 'approve', chef, { terms_hash });
    expect((await page(`/console/delegations/${uid}`, chef)).text).to.include('approval_node_not_open');
    expect([early.status, early.text.includes('approval_node_not_open')]).to.deep.equal([409, true]);
    const first = await decide(uid, 'approve', anna);
    expect([first.status, first.location]).to.deep.equal([303, `/console/delegations/${uid}?done=voted`]);
    expect((await delegationOf(uid)).state).to.equal('draft');
    const again = await decide(uid, 'approve', anna, { terms_hash });
    expect([again.status, again.text.includes('approval_already_recorded')]).to.deep.equal([409, true]);
    const second = await decide(uid, 'approve', chef);
    expect([second.status, second.location]).to.deep.equal([
      303,
      `/console/delegations/${uid}?done=activated`,
    ]);

    const { state, approval } = await delegationOf(uid);
    expect(state).to.equal('activated');
    expect(
      approval.approvals.map(({ voter, application_uid }: any) => [voter.person_uid, application_uid]),
    ).to.deep.equal([
      [anna.person, null],
      [chef.person, null],
    ]);
    expect((await spend(live().orm('operator'), uid, { amount: 100 })).ok).to.equal(true);
    const revoked = await decide(uid, 'revoke', chef, { reason: 'test' });
    expect(revoked.location).to.equal(`/console/delegations/${uid}?done=revoked`);
  });

  it('answers 412 with the difference for terms other than those that the page showed', async () => {
    const [seen, other] = [await drafted(), await drafted({ execution_mode: 'dry_run' })];
    const shown = fieldsOf(
      (await page(`/console/delegations/${seen}`, anna)).text,
      `/console/delegations/${seen}/`,
    );
    const stale = await decide(other, 'approve', anna, {
      terms: shown['terms']!,
      terms_hash: shown['terms_hash']!,
    });
    expect(stale.status).to.equal(412);
    expect(stale.text)
      .to.include('terms_changed')
      .and.to.match(/execution mode[\s\S]*supervised[\s\S]*dry_run/);
    const none = await decide(other, 'approve', anna, { terms_hash: '' });
    expect(none.status).to.equal(412);
    expect((await delegationOf(other)).approval.approvals).to.deep.equal([]);
    for (const uid of [seen, other]) {
      expect((await decide(uid, 'reject', anna)).status).to.equal(422);
      expect((await decide(uid, 'reject', anna, { reason: 'No budget' })).status).to.equal(303);
      expect((await delegationOf(uid)).state).to.equal('rejected');
    }
  });

  it('prints stored texts as text', async () => {
    const reason = '<script>alert(1)</script><img src=x onerror=alert(1)>"\'';
    const uid = await drafted({ reason, execution_mode: 'dry_run' });
    const { text } = await page(`/console/delegations/${uid}`, anna);
    expect(text).to.include('&lt;script&gt;alert(1)&lt;/script&gt;').and.to.not.include('<script>alert');
    expect(text).to.not.include('<img src=x');
    expect((await decide(uid, 'reject', anna, { reason })).status).to.equal(303);
    const shown = await page(`/console/audit?subject=${uid}`, anna);
    expect([shown.status, shown.text.includes('<script>alert')]).to.deep.equal([200, false]);
  });

  it('refuses forms of other pages, sessions, sites and senders, and the vote of a drafter', async () => {
    const [uid, other] = [await drafted(), await drafted({ execution_mode: 'dry_run' })];
    const tokenOf = (one: string, { cookie }: { cookie: string }) =>
      formToken(cookie.split('=')[1]!, `/console/delegations/${one}`);
    for (const [title, changes, headers] of [
      ['another page', { token: tokenOf(other, anna) }, {}],
      ['another session', { token: tokenOf(uid, chef) }, {}],
      ['no token', { token: '' }, {}],
      ['another site', {}, { 'sec-fetch-site': 'cross-site' }],
      ['a subdomain', {}, { 'sec-fetch-site': 'same-site' }],
      ['no Fetch Metadata and no origin', {}, { 'sec-fetch-site': '' }],
      ['another origin', {}, { 'sec-fetch-site': '', origin: 'https://evil.example' }],
    ] as const) {
      const { status, text } = await decide(uid, 'approve', anna, changes, headers);
      expect([status, text.includes('form_not_accepted')], title).to.deep.equal([403, true]);
    }
    const drafter = { cookie: await console.signIn(sample.persons.drafter.uid) };
    expect((await page(`/console/delegations/${uid}`, drafter)).text).to.include('sod_same_person');
    const own = await decide(uid, 'approve', drafter);
    expect([own.status, own.text.includes('sod_same_person')]).to.deep.equal([403, true]);
    expect((await delegationOf(uid)).approval.approvals).to.deep.equal([]);
    for (const each of [uid, other])
      expect((await decide(each, 'withdraw', drafter, { reason: 'test' })).status).to.equal(303);
  });

  it('requires a new one-time code for each decision of a person who has codes', async () => {
    const enrolled = await assay(live(), 'person', 'enrol', anna.person, '--json');
    expect(enrolled.status, enrolled.stderr).to.equal(0);
    const { secret } = enrolled.json;
    const uid = await drafted();
    expect((await page(`/console/delegations/${uid}`, anna)).text).to.include('One-time code');
    const missing = await decide(uid, 'approve', anna);
    expect([missing.status, missing.text.includes('code_invalid')]).to.deep.equal([403, true]);
    const code = codeAt(secret, new Date());
    expect((await decide(uid, 'approve', anna, { code })).status).to.equal(303);
    const reused = await decide(uid, 'revoke', anna, { code, reason: 'test' });
    expect([reused.status, reused.text.includes('code_invalid')]).to.deep.equal([403, true]);
    expect((await delegationOf(uid)).approval.approvals).to.have.length(1);
  });
});
