import { expect } from 'chai';
import { removeCodes } from '#lib/access/change-codes.command.ts';
import { codeAt } from '#lib/access/one-time-code.ts';
import { governBy } from '#api/cli/shell/govern.ts';
import { formToken } from '#api/console/session-cookie.ts';
import { inPlatform } from '#lib/database/orm.ts';
import { buildTenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { fieldsOf, formOf, startConsole, type Console } from '../../support/console.ts';
import { enrolled, enrolledSecret } from '../../support/enrol.ts';
import { handsOf } from '../../support/governed.ts';
import { onOneBackend } from '../../support/live.ts';
import { markupFaults } from '../../support/markup.ts';

const ACCOUNT = '/console/account';
const STEP_MS = 30_000;

onOneBackend('one-time codes that a person sets up in the console', (live) => {
  let console: Console;
  let workspace: string;
  /** The person who issues the link, the person whose codes it is about, and a third person. */
  let issuer: string;
  let person: string;
  let third: string;
  let proofOf: Record<'issuer' | 'third', () => string[]>;
  let secret: string;
  /** The session of a person who has neither codes nor a passkey. */
  let stranger: string;

  before(async () => {
    console = await startConsole(live());
    ({ workspace, person: issuer } = await buildTenancy(live()));
    person = (await buildTenancy(live(), { workspace })).person;
    third = (await buildTenancy(live(), { workspace })).person;
    stranger = await console.signIn((await buildTenancy(live(), { workspace })).person);
    proofOf = { issuer: await enrolled(live(), issuer), third: await enrolled(live(), third) };
  });
  after(() => console.stop());

  const run = (...words: string[]) => assay(live(), ...words, '--json');
  const signIn = async (link: string) => {
    const form = formOf({ link: new URL(link).hash.slice(1) });
    const answer = await console.ask('/console/sign-in', form);
    return { status: answer.status, cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '' };
  };
  const send = async (cookie: string, name: string, fields: Record<string, string> = {}) => {
    const token = formToken(cookie.split('=')[1]!, ACCOUNT);
    const answer = await console.ask(`${ACCOUNT}/${name}`, formOf({ token, ...fields }, { cookie }));
    return { status: answer.status, text: await answer.text(), location: answer.headers.get('location') };
  };
  const account = async (cookie: string) => (await console.ask(ACCOUNT, { headers: { cookie } })).text();
  const secretOf = (text: string) => /class="secret">([^<]+)</.exec(text)![1]!.replaceAll(' ', '');
  const fingerprintOf = (text: string) => /Fingerprint\s+<code>([0-9a-f]{16})</.exec(text)![1]!;
  const confirm = (fingerprint: string, proof: string[]) =>
    run('person', 'confirm-codes', person, '--fingerprint', fingerprint, ...proof);
  const code = (ahead = 0) => codeAt(secret, new Date(Date.now() + ahead * STEP_MS));
  const changesOf = async (subject: string) => {
    const place = ['--workspace', workspace, '--environment', 'sandbox', '--subject', subject];
    return (await run('audit', 'list', ...place)).json.data as any[];
  };

  let link: string;
  let cookie: string;

  it('need a link, which opens one session and which the audit log records with its issuer', async () => {
    ({ link } = (await run('person', 'console-link', person, ...proofOf.issuer())).json);
    ({ cookie } = await signIn(link));
    expect((await signIn(link)).status, 'a second time').to.equal(403);
    const log = await changesOf(person);
    const issued = log.find(({ op }) => op === 'person.console_link_issued');
    expect(issued.actor).to.deep.include({ kind: 'person', uid: issuer });
    const signedIn = log.find(({ op }) => op === 'person.signed_in');
    expect(signedIn.details).to.deep.equal({ proof: 'link', link_issued_by: issuer });
  });

  it('are stored when the person enters a code of the secret that this session showed', async () => {
    const offered = await send(cookie, 'new-codes');
    expect([offered.status, await markupFaults(offered.text)]).to.deep.equal([200, []]);
    secret = secretOf(offered.text);
    const fields = { ...fieldsOf(offered.text, `${ACCOUNT}/codes`), first_code: code() };
    const elsewhere = await send(stranger, 'codes', {
      ...fields,
      token: formToken(stranger.split('=')[1]!, ACCOUNT),
    });
    expect([elsewhere.status, elsewhere.text.includes('codes_form_invalid')]).to.deep.equal([409, true]);
    const wrong = await send(cookie, 'codes', { ...fields, first_code: '000000' });
    expect([wrong.status, secretOf(wrong.text)], 'the same secret again').to.deep.equal([422, secret]);
    expect((await account(cookie)).includes('You have no one-time codes')).to.equal(true);
    const stored = await send(cookie, 'codes', fields);
    expect(stored.location, stored.text.slice(0, 500)).to.equal(`${ACCOUNT}?done=codes`);
    const page = await account(cookie);
    expect(page).to.include('class="pill warn">registered').and.to.not.include(secret);
    const registered = (await changesOf(person)).find(({ op }) => op === 'person.codes_registered');
    expect(registered.actor).to.deep.include({ kind: 'person', uid: person });
    expect(registered.details).to.deep.equal({
      fingerprint: fingerprintOf(page),
      link_issued_by: issuer,
    });
  });

  it('prove nothing in production before a second person confirms them, who did not issue the link', async () => {
    const create = () =>
      run(
        ...['person', 'create', '--workspace', workspace, '--name', 'Eve', '--roles', 'analyst'],
        ...['--email', `eve.${process.pid}@acme.example`, '--as', person, '--code', code(1)],
      );
    expect((await create()).stderr).to.match(/^codes_unconfirmed: /);
    const fingerprint = fingerprintOf(await account(cookie));
    expect((await confirm(fingerprint, proofOf.issuer())).stderr).to.match(/^codes_own: /);
    expect((await confirm('0123456789abcdef', proofOf.third())).stderr).to.match(/^codes_changed: /);
    const inDatabase = (by: string) =>
      inPlatform(live().orm('operator'), (em) =>
        em.execute(
          `update person_code set state = 'confirmed', confirmed_at = now(), confirmed_by_uid = ? where person_uid = ?`,
          [by, person],
        ),
      ).catch((error: Error) => error.message);
    for (const by of [issuer, person])
      expect(await inDatabase(by), 'nor in the database').to.include('confirms no codes');
    const confirmed = await confirm(fingerprint, proofOf.third());
    expect(confirmed.json, confirmed.stderr).to.deep.equal({
      uid: person,
      state: 'confirmed',
      fingerprint,
      confirmed_by: third,
    });
    expect((await create()).status).to.equal(0);
    const entry = (await changesOf(person)).find(({ op }) => op === 'person.codes_confirmed');
    expect(entry.details).to.deep.equal({ fingerprint, link_issued_by: issuer });
  });

  it('are confirmed by no console, also not in the database', async () => {
    const message = await inPlatform(live().orm('console'), async (em) => {
      await em.execute(`select set_config('app.workspace', ?, true)`, [workspace]);
      await em.execute(`update person_code set sealed_secret = 'other' where person_uid = ?`, [person]);
    }).catch((error: Error) => error.message);
    expect(message).to.include('the console confirms no codes');
  });

  it('are not replaced, removed or made unconfirmed if nobody else in the workspace has confirmed codes', async () => {
    const { workspace: other, person: sole } = await buildTenancy(live());
    const second = (await buildTenancy(live(), { workspace: other })).person;
    const session = await console.signIn(sole);
    const soleSecret = await enrolledSecret(live(), sole);
    const offered = await send(session, 'new-codes');
    const fields = fieldsOf(offered.text, `${ACCOUNT}/codes`);
    const first_code = codeAt(secretOf(offered.text), new Date());
    const code = codeAt(soleSecret, new Date());
    const refused = await send(session, 'codes', { ...fields, first_code, code });
    expect([refused.status, refused.text.includes('codes_last')]).to.deep.equal([409, true]);
    const asOther = { kind: 'person' as const, uid: second };
    const removal = await governBy(
      handsOf(live().orm('operator')),
      removeCodes,
      { person: sole },
      asOther,
    ).then(
      () => 'removed',
      (error: { code: string }) => error.code,
    );
    expect(removal).to.equal('codes_last');
    const message = await inPlatform(live().orm('operator'), (em) =>
      em.execute(
        `update person_code set state = 'registered', confirmed_at = null, confirmed_by_uid = null where person_uid = ?`,
        [sole],
      ),
    ).catch((error: Error) => error.message);
    expect(message).to.include('keeps its last confirmed codes');
    const own = await run(
      'person',
      'enrol',
      sole,
      '--code',
      codeAt(soleSecret, new Date(Date.now() + STEP_MS)),
    );
    expect(own.json, own.stderr).to.include({ state: 'confirmed' });
  });

  it('are listed with the open sessions, which an operator ends', async () => {
    const { json } = await run('person', 'sessions', person);
    expect(json.data).to.have.length(1);
    expect(json.data[0]).to.include({ environment: 'sandbox', proof: 'link', link_issued_by: issuer });
    expect((await run('person', 'sessions', 'end', 'per_unknown')).stderr).to.match(/^person_unknown: /);
    expect((await run('person', 'sessions', 'end', person, '--as', third)).status).to.equal(0);
    expect((await console.ask(ACCOUNT, { headers: { cookie } })).status).to.equal(401);
    expect((await run('person', 'sessions', 'list', person)).json.data).to.deep.equal([]);
    const ended = (await changesOf(person)).find(({ op }) => op === 'person.signed_out');
    expect([ended.actor.uid, ended.details]).to.deep.equal([third, { everywhere: true }]);
  });
});
