import { expect } from 'chai';
import { codeAt } from '#lib/access/one-time-code.ts';
import { assay } from '../../support/cli.ts';
import { clientOf } from '../../support/client.ts';
import { enrolledSecret } from '../../support/enrol.ts';
import { onOneBackend } from '../../support/live.ts';

onOneBackend('Production access', function (live) {
  let workspace: string;
  let application: string;
  let key = '';
  const persons: Record<'ann' | 'ben' | 'eve', { uid: string; secret?: string }> = {
    ann: { uid: '' },
    ben: { uid: '' },
    eve: { uid: '' },
  };

  const json = async (...words: string[]) => (await assay(live(), ...words, '--json')).json;
  const access = (event: string, who: 'ann' | 'ben', code?: string) =>
    assay(
      live(),
      ...['app', 'production-access', event, application, '--as', persons[who].uid, '--json'],
      ...(code === undefined ? [] : ['--code', code]),
    );
  /** Makes used one-time codes of the current time step valid again. */
  const forgetCodes = () =>
    live().orm('operator').em.getConnection().execute('update person_code set last_step = 0');
  const call = () => clientOf(live(), key).get('/workspace');

  before(async () => {
    workspace = (await json('workspace', 'create', '--name', 'Acme')).uid;
    for (const who of ['ann', 'ben', 'eve'] as const) {
      const words = ['--name', who, '--email', `${who}@acme.example`, '--roles', 'owner'];
      persons[who].uid = (await json('person', 'create', '--workspace', workspace, ...words)).uid;
    }
    const words = [
      '--name',
      'desk',
      '--environment',
      'production',
      '--scopes',
      'all',
      '--owner',
      persons.ann.uid,
    ];
    application = (await json('app', 'create', '--workspace', workspace, ...words)).uid;
  });

  it('requires a one-time code from a person who issues or rotates credentials', async () => {
    const refusal = async (...words: string[]) => (await assay(live(), ...words)).stderr.split(':')[0];
    const issue = (kind: string) => [kind, 'issue', '--app', application];
    expect(await refusal(...issue('key'))).to.equal('person_not_enrolled');
    const { secret, uri, state } = await json('person', 'enrol', persons.eve.uid);
    expect([uri.startsWith('otpauth://totp/'), state]).to.deep.equal([true, 'confirmed']);
    persons.eve.secret = secret;
    const code = codeAt(persons.eve.secret!, new Date());
    const byEve = ['person', 'enrol', persons.ben.uid, '--as', persons.eve.uid, '--code', code];
    expect(await refusal(...byEve), 'nobody sees the secret of another person').to.equal('codes_of_another');
    for (const who of ['ann', 'ben'] as const)
      persons[who].secret = await enrolledSecret(live(), persons[who].uid);
    const ben = () => ['--as', persons.ben.uid, '--code', codeAt(persons.ben.secret!, new Date())];
    const done = async (...words: string[]) => {
      expect(await refusal(...words)).to.equal('code_invalid');
      await forgetCodes();
      return json(...words, ...ben());
    };
    key = (await done('key', 'rotate', (await done(...issue('key'))).uid)).api_key;
    await done('oauth', 'rotate', (await done(...issue('oauth'))).client_id);
    await forgetCodes();
    const place = ['--workspace', workspace, '--environment', 'production'];
    const log: { op: string; actor: { uid: string } }[] = (await json('audit', 'list', ...place)).data;
    for (const op of ['key.issued', 'oauth_client.issued', 'oauth_client.rotated']) {
      expect(log.find((entry) => entry.op === op)!.actor.uid, op).to.equal(persons.ben.uid);
    }
  });

  it('is off until it is granted, whatever scopes the application has', async () => {
    expect(key).to.match(/^svc_live_/);
    const { status, body } = await call();
    expect([status, body.code]).to.deep.equal([403, 'production_access_disabled']);
  });

  it('requires a one-time code from both the requesting and the granting person', async () => {
    expect((await access('request', 'ann')).stderr).to.match(/^code_invalid: /);
    expect((await access('request', 'ann', codeAt(persons.ben.secret!, new Date()))).stderr).to.match(
      /^code_invalid: /,
    );
  });

  it('lets the production key work once a second person has granted it', async () => {
    const code = codeAt(persons.ann.secret!, new Date());
    expect((await access('request', 'ann', code)).json.production_access).to.equal('requested');
    expect((await access('approve', 'ben', code)).stderr).to.match(/^code_invalid: /);
    expect((await access('request', 'ann', code)).stderr, 'a code counts once').to.match(/^code_invalid: /);
    const next = codeAt(persons.ann.secret!, new Date(Date.now() + 30_000));
    expect((await access('approve', 'ann', next)).stderr).to.match(/^second_person_required: /);
    expect((await call()).status).to.equal(403);
    const approved = await access('approve', 'ben', codeAt(persons.ben.secret!, new Date()));
    expect(approved.json.production_access).to.equal('approved');
    const { status, body } = await call();
    expect(status).to.equal(200);
    expect(body).to.include({ uid: workspace, environment: 'production' });
    expect(body.controls.production_access).to.equal('enabled');
  });

  it('can be withdrawn by one person with effect from the next request', async () => {
    const code = codeAt(persons.ben.secret!, new Date(Date.now() + 30_000));
    expect((await access('revoke', 'ben', code)).json.production_access).to.equal('revoked');
    expect((await call()).body.code).to.equal('production_access_disabled');
  });

  it('stores the secrets of one-time codes encrypted and replaces a secret only after a valid code', async () => {
    const again = await assay(live(), 'person', 'enrol', persons.ann.uid);
    expect(again.stderr).to.match(/^code_invalid: /);
    const stored = await live()
      .orm('operator')
      .em.getConnection()
      .execute<{ sealed_secret: string }[]>('select sealed_secret from person_code');
    for (const { sealed_secret } of stored) {
      expect(sealed_secret).to.match(/^v1\./).and.not.include(persons.ann.secret!);
    }
  });

  it('does not exist in the sandbox', async () => {
    const words = [
      '--name',
      'test',
      '--environment',
      'sandbox',
      '--scopes',
      'all',
      '--owner',
      persons.ann.uid,
    ];
    const { uid } = await json('app', 'create', '--workspace', workspace, ...words);
    const refused = await assay(live(), 'app', 'production-access', 'request', uid);
    expect(refused.stderr).to.match(/^not_production: /);
  });
});
