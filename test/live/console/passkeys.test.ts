import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { Client } from 'pg';
import { inPlatform } from '#lib/database/orm.ts';
import { formToken } from '#api/console/session-cookie.ts';
import { authenticator, type Authenticator } from '../../support/authenticator.ts';
import { assay } from '../../support/cli.ts';
import { enrolled } from '../../support/enrol.ts';
import { fieldsOf, formOf, startConsole, type Console } from '../../support/console.ts';
import { operatorsOf, type Voter } from '../../support/control.ts';
import { draft, governedSample, type Sample } from '../../support/govern.ts';
import { onOneBackend } from '../../support/live.ts';
import { spend } from '../../support/spend.ts';

onOneBackend('passkeys in the console', (live) => {
  let console: Console;
  let sample: Sample;
  let anna: Voter;
  let chef: Voter;
  const key: Authenticator = authenticator();
  let cookie: string;

  before(async () => {
    console = await startConsole(live());
    sample = await governedSample(live());
    const operators = operatorsOf(live(), sample);
    await operators.role('payments');
    [anna, chef] = [await operators.voter('payments'), await operators.voter('payments')];
    await operators.graph('one-node', 'obligation.pay', [{ quorum: 1, roles: ['payments'] }]);
    cookie = await console.signIn(anna.person);
  });
  after(() => console.stop());

  const send = (path: string, fields: Record<string, string>, session = cookie) =>
    console.ask(path, formOf(fields, { cookie: session }));
  const tokenOf = (page: string, session = cookie) => formToken(session.split('=')[1]!, page);
  const drafted = async () => (await draft(live(), sample)).body.uid as string;

  /** Returns the fields of the form on the page of a delegation, without an answer of a passkey. */
  const formFor = async (uid: string) => {
    const path = `/console/delegations/${uid}`;
    const text = await (await console.ask(path, { headers: { cookie } })).text();
    return { ...fieldsOf(text, `${path}/`), token: tokenOf(path), answer: '' };
  };
  const challengeFor = async (uid: string, fields: Record<string, string>) => {
    const answer = await send(`/console/delegations/${uid}/approve/challenge`, fields);
    expect(answer.status).to.equal(200);
    return (await answer.json()) as { challenge: string; rpId: string };
  };
  const approve = async (uid: string, fields: Record<string, string>) => {
    const answer = await send(`/console/delegations/${uid}/approve`, fields);
    return { status: answer.status, location: answer.headers.get('location'), text: await answer.text() };
  };
  const revoke = async (uid: string) => assay(live(), 'delegation', 'revoke', uid, '--reason', 'test');

  it('are added by the person of a session, and listed', async () => {
    const page = '/console/account';
    const options = (await (await send(`${page}/registration`, {})).json()) as never;
    const registration = key.create(options, console.url);
    const fields = { token: tokenOf(page), name: 'Security key', registration };
    const added = await send(`${page}/add`, fields);
    expect([added.status, added.headers.get('location')]).to.deep.equal([303, `${page}?done=added`]);
    const text = await (await console.ask(page, { headers: { cookie } })).text();
    expect(text).to.include('Security key').and.to.include('registered');
    const again = await send(`${page}/add`, { ...fields, answer: '' });
    expect(again.status, 'the challenge of a registration is used once').to.be.oneOf([403, 422]);
    const { json } = await assay(live(), 'person', 'passkeys', anna.person, '--json');
    expect(json.data).to.have.length(1);
  });

  it('sign a vote, which the use of the delegation checks again', async () => {
    const uid = await drafted();
    const fields = await formFor(uid);
    expect((await approve(uid, fields)).text, 'no signature').to.include('passkey_invalid');
    const answer = key.sign(await challengeFor(uid, fields), console.url);
    const voted = await approve(uid, { ...fields, answer });
    expect([voted.status, voted.location]).to.deep.equal([303, `/console/delegations/${uid}?done=activated`]);
    const orm = live().orm('operator');
    expect((await spend(orm, uid, { amount: 100 })).ok).to.equal(true);

    const file = join(await mkdtemp(join(tmpdir(), 'assay-votes-')), 'votes.json');
    await writeFile(
      file,
      await (await console.ask(`/console/delegations/${uid}/json`, { headers: { cookie } })).text(),
    );
    const verified = await assay(undefined, 'verify', file, '--json');
    expect(verified.json).to.include({ intact: true, signed: 1, unsigned: 0 });
    await rm(dirname(file), { recursive: true });

    const superuser = new Client({ connectionString: live().superuserUrl });
    await superuser.connect();
    await superuser.query('alter table delegation_approval disable trigger user');
    const changed = `update delegation_approval set proof = jsonb_set(proof, '{statement,nonce}', '"other"')
      where delegation_uid = $1`;
    await superuser.query(changed, [uid]);
    await superuser.query('alter table delegation_approval enable trigger user');
    await superuser.end();
    expect(await spend(orm, uid, { amount: 100 })).to.include({
      ok: false,
      code: 'delegation_not_supported',
    });
    await revoke(uid);
  });

  it('are refused for another delegation, for a second time, without verification, and in another session', async () => {
    const [one, other] = [await drafted(), await drafted()];
    const [forOne, forOther] = [await formFor(one), await formFor(other)];
    const signed = key.sign(await challengeFor(one, forOne), console.url);
    const moved = await approve(other, { ...forOther, answer: signed });
    expect([moved.status, moved.text.includes('another decision')]).to.deep.equal([403, true]);
    const replayed = await approve(one, { ...forOne, answer: signed });
    expect([replayed.status, replayed.text.includes('used before')], 'consumed').to.deep.equal([403, true]);

    const unverified = key.sign(await challengeFor(one, forOne), console.url, { isVerified: false });
    expect((await approve(one, { ...forOne, answer: unverified })).text).to.include('passkey_invalid');
    const elsewhere = key.sign(await challengeFor(one, forOne), 'https://evil.example');
    expect((await approve(one, { ...forOne, answer: elsewhere })).text).to.include('passkey_invalid');
    const foreign = authenticator().sign(await challengeFor(one, forOne), console.url);
    expect((await approve(one, { ...forOne, answer: foreign })).text).to.include('passkey_invalid');

    const fresh = key.sign(await challengeFor(one, forOne), console.url);
    const second = await console.signIn(anna.person);
    const path = `/console/delegations/${one}`;
    const stolen = await send(
      `${path}/approve`,
      { ...forOne, token: tokenOf(path, second), answer: fresh },
      second,
    );
    expect([stolen.status, (await stolen.text()).includes('no challenge of this session')]).to.deep.equal([
      403,
      true,
    ]);
    for (const uid of [one, other])
      await assay(live(), 'delegation', 'reject', uid, '--as', anna.person, '--reason', 'test');
  });

  it('open a session, once for each challenge, and only for their own site', async () => {
    const challenge = async () =>
      (await (await console.ask('/console/sign-in/challenge', formOf({}))).json()) as never;
    const answer = key.sign(await challenge(), console.url);
    const open = (fields: Record<string, string>) =>
      console.ask('/console/sign-in/passkey', formOf({ environment: 'sandbox', ...fields }));
    const opened = await open({ answer });
    expect([opened.status, opened.headers.get('location')]).to.deep.equal([303, '/console']);
    const session = opened.headers.get('set-cookie')!.split(';')[0]!;
    expect((await console.ask('/console', { headers: { cookie: session } })).status).to.equal(200);
    expect((await open({ answer })).status, 'replayed').to.equal(403);
    expect((await open({ answer: key.sign(await challenge(), 'https://evil.example') })).status).to.equal(
      403,
    );
    expect((await open({ answer: authenticator().sign(await challenge(), console.url) })).status).to.equal(
      403,
    );
    expect((await open({})).status).to.equal(403);
    const inProduction = { environment: 'production', answer: key.sign(await challenge(), console.url) };
    expect((await open(inProduction)).status, 'not confirmed').to.equal(403);
  });

  it('are not confirmed by the person who issued the sign-in link behind them', async () => {
    const other = await governedSample(live());
    const { grantor: issuer, controller: person, approver: third } = other.persons;
    const account = '/console/account';
    const add = async (device: Authenticator, session: string, signer?: Authenticator) => {
      const options = (await (await send(`${account}/registration`, {}, session)).json()) as never;
      const registration = device.create(options, console.url);
      const fields = { token: tokenOf(account, session), name: 'Key', registration };
      const challenged = signer && (await send(`${account}/add/challenge`, fields, session));
      const answer = signer ? signer.sign((await challenged!.json()) as never, console.url) : '';
      expect((await send(`${account}/add`, { ...fields, answer }, session)).status).to.equal(303);
    };
    const [first, second] = [authenticator(), authenticator()];
    await add(first, await console.signIn(person.uid, issuer.uid));
    const options = (await (await console.ask('/console/sign-in/challenge', formOf({}))).json()) as never;
    const opened = await console.ask(
      '/console/sign-in/passkey',
      formOf({ environment: 'sandbox', answer: first.sign(options, console.url) }),
    );
    await add(second, opened.headers.get('set-cookie')!.split(';')[0]!, first);

    const { json } = await assay(live(), 'person', 'passkeys', person.uid, '--json');
    expect(json.data).to.have.length(2);
    const confirm = (uid: string, proof: string[]) =>
      assay(live(), 'person', 'confirm-passkey', uid, ...proof, '--json');
    const [byIssuer, byThird] = [await enrolled(live(), issuer.uid), await enrolled(live(), third.uid)];
    for (const { uid } of json.data)
      expect((await confirm(uid, byIssuer())).stderr, 'also for a passkey added with the first').to.match(
        /^passkey_own: /,
      );
    const past = inPlatform(live().orm('operator'), (em) =>
      em.execute(
        `update passkey set state = 'confirmed', confirmed_at = now(), confirmed_by_uid = ? where person_uid = ?`,
        [issuer.uid, person.uid],
      ),
    ).catch((error: Error) => error.message);
    expect(await past, 'nor in the database').to.include('confirms no passkey');
    for (const { uid } of json.data)
      expect((await confirm(uid, byThird())).json).to.include({ state: 'confirmed' });
  });

  it('sign in production after a second person confirmed them, and nothing once they are removed', async () => {
    const { json } = await assay(live(), 'person', 'passkeys', anna.person, '--json');
    const [{ uid }] = json.data;
    const confirm = (...words: string[]) =>
      assay(live(), 'person', 'confirm-passkey', uid, ...words, '--json');
    const unproven = await confirm('--as', chef.person);
    expect(unproven.stderr, 'nobody has codes yet').to.match(/^person_not_enrolled: /);
    const own = await confirm(...(await enrolled(live(), anna.person))());
    expect(own.stderr).to.match(/^passkey_own: A second person must confirm a passkey/);
    const confirmed = await confirm(...(await enrolled(live(), chef.person))());
    expect(confirmed.json).to.include({ state: 'confirmed', confirmed_by: chef.person });
    const open = async () => {
      const options = (await (await console.ask('/console/sign-in/challenge', formOf({}))).json()) as never;
      const answer = key.sign(options, console.url);
      return (await console.ask('/console/sign-in/passkey', formOf({ environment: 'production', answer })))
        .status;
    };
    expect(await open()).to.equal(303);
    await assay(live(), 'person', 'remove-passkey', uid, '--as', chef.person);
    expect(await open()).to.equal(403);
  });
});
