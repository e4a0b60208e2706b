import { expect } from 'chai';
import { assay } from '../../support/cli.ts';
import { clientOf } from '../../support/client.ts';
import { onOneBackend } from '../../support/live.ts';
import { asSuperuser } from '../../support/rows.ts';
import { eventually } from '../../support/runs.ts';

onOneBackend('the command line for workspaces, persons, applications and keys', function (live) {
  let workspace: string;
  let person: string;
  let count = 0;

  before(async () => {
    workspace = (await assay(live(), 'workspace', 'create', '--name', 'Acme', '--json')).json.uid;
    const who = ['--name', 'Ann', '--email', 'ann@acme.example', '--roles', 'owner,approver'];
    person = (await assay(live(), 'person', 'create', '--workspace', workspace, ...who, '--json')).json.uid;
  });

  const create = async (): Promise<string> => {
    const scopes = ['--scopes', 'quant:compute:read', '--owner', person];
    const name = ['--name', `desk ${++count}`, '--environment', 'sandbox'];
    return (await assay(live(), 'app', 'create', '--workspace', workspace, ...name, ...scopes, '--json')).json
      .uid;
  };
  const issue = async (application?: string) =>
    (await assay(live(), 'key', 'issue', '--app', application ?? (await create()), '--json')).json;
  const call = async (key: string) => (await clientOf(live(), key).get('/quant/compute/jobs')).status;

  it('issues a key that works and shows the key once', async () => {
    const application = await create();
    const { uid, api_key } = await issue(application);
    expect(api_key).to.match(/^svc_test_[0-9A-Za-z]{59}$/);
    expect(await call(api_key)).to.equal(200);
    const listed = await assay(live(), 'key', 'list', '--app', application, '--json');
    expect(listed.json.data.map((key: { uid: string }) => key.uid)).to.include(uid);
    expect(listed.stdout).not.to.include(api_key);
  });

  it('allows an application two keys at a time for a rotation', async () => {
    const application = await create();
    const [first, second] = [await issue(application), await issue(application)];
    expect([await call(first.api_key), await call(second.api_key)]).to.deep.equal([200, 200]);
    const third = await assay(live(), 'key', 'issue', '--app', application);
    expect(third).to.include({ status: 1, stdout: '' });
    expect(third.stderr).to.match(/^key_limit_reached: /);
    await assay(live(), 'key', 'revoke', first.uid);
    expect(await call(second.api_key)).to.equal(200);
    expect(await call((await issue(application)).api_key)).to.equal(200);
  });

  it('ends a key at its end time', async () => {
    const application = await create();
    const ends = new Date(Date.now() + 3_600_000).toISOString();
    const issued = await assay(live(), 'key', 'issue', '--app', application, '--expires', ends, '--json');
    expect(await call(issued.json.api_key)).to.equal(200);
    const instant = await asSuperuser(live(), async (client) => {
      const own = 'from credential where uid = $1';
      const kept = await client.query(`select expires_at ${own}`, [issued.json.uid]);
      await client.query('update credential set expires_at = now() where uid = $1', [issued.json.uid]);
      return kept.rows[0].expires_at as Date;
    });
    expect(instant.toISOString()).to.equal(ends);
    expect(await call(issued.json.api_key)).to.equal(401);
    const gone = new Date(Date.now() - 1).toISOString();
    const past = await assay(live(), 'key', 'issue', '--app', application, '--expires', gone);
    expect(past.stderr).to.match(/^invalid_instant: /);
  });

  it('reports the last use of a key and the network of the caller', async () => {
    const application = await create();
    const { api_key } = await issue(application);
    const list = async () =>
      (await assay(live(), 'key', 'list', '--app', application, '--json')).json.data[0];
    expect((await list()).last_used_at).to.equal(null);
    const earliest = Date.now();
    await call(api_key);
    const { last_used_at, last_used_from } = await eventually(async () => {
      const key = await list();
      return key.last_used_at === null ? undefined : key;
    });
    expect(Date.parse(last_used_at)).to.be.within(earliest, Date.now());
    expect(last_used_from).to.equal('127.0.0.0/24');
  });

  it('accepts only the new key from the next request after a rotation', async () => {
    const old = await issue();
    expect(await call(old.api_key)).to.equal(200);
    const rotated = (await assay(live(), 'key', 'rotate', old.uid, '--json')).json;
    expect(await call(old.api_key)).to.equal(401);
    expect(await call(rotated.api_key)).to.equal(200);
  });

  it('rejects a second revocation of a key', async () => {
    const { uid, api_key } = await issue();
    expect((await assay(live(), 'key', 'revoke', uid)).status).to.equal(0);
    expect(await call(api_key)).to.equal(401);
    const again = await assay(live(), 'key', 'revoke', uid);
    expect(again).to.include({ status: 1, stdout: '' });
    expect(again.stderr).to.match(/^key_revoked: /);
  });

  it('suspends and resumes an application, except a revoked application', async () => {
    const application = await create();
    const { api_key } = await issue(application);
    await assay(live(), 'app', 'suspend', application);
    expect(await call(api_key)).to.equal(403);
    await assay(live(), 'app', 'resume', application);
    expect(await call(api_key)).to.equal(200);
    await assay(live(), 'app', 'revoke', application);
    expect(await call(api_key)).to.equal(403);
    expect((await assay(live(), 'app', 'resume', application)).stderr).to.match(/^application_revoked: /);
  });

  const refusals: [string, number, RegExp, string[]][] = [
    [
      'an unknown workspace',
      1,
      /^workspace_unknown: /,
      ['person', 'create', '--workspace', 'wsp_x', '--name', 'A', '--email', 'a@b', '--roles', 'owner'],
    ],
    [
      'an unknown scope',
      1,
      /^unknown_scope: /,
      [
        'app',
        'create',
        '--workspace',
        'w',
        '--name',
        'n',
        '--environment',
        'sandbox',
        '--scopes',
        'all:of:it',
        '--owner',
        'p',
      ],
    ],
    ['an unknown application', 1, /^application_unknown: /, ['key', 'issue', '--app', 'app_x']],
    ['an unknown service class', 1, /^unknown_service_class: /, ['workspace', 'set-class', 'w', 'gold']],
    ['a missing option', 2, /required option '--name/, ['workspace', 'create']],
    ['an unknown command', 2, /unknown command/, ['workspaces']],
  ];
  for (const [what, status, message, words] of refusals) {
    it(`exits with ${status} and empty stdout on ${what}`, async () => {
      const printed = await assay(live(), ...words);
      expect(printed).to.include({ status, stdout: '' });
      expect(printed.stderr).to.match(message);
    });
  }
});
