import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { Secret, TOTP } from 'otpauth';
import { Client } from 'pg';
import { placeAuditEntries } from '#workers/periodic/place-audit-entries.ts';
import { auditDatabase, type AuditDatabase } from '../../support/audit.ts';
import { testCluster } from '../../support/backends.ts';
import { enrolledSecret } from '../../support/enrol.ts';
import { assay } from '../../support/cli.ts';

const DATABASE = 'assay_test_audit_commands';

describe('assay audit', function () {
  let database: AuditDatabase;
  let folder: string;
  let workspace: string;
  let ann: string;
  let ben: string;
  let app: string;
  let live: string;

  const run = (...words: string[]) => assay(database, ...words, '--json');
  const uidOf = async (...words: string[]): Promise<string> => {
    const printed = await run(...words);
    expect(printed.status, printed.stderr).to.equal(0);
    return printed.json.uid;
  };
  const list = async (...words: string[]) =>
    (await run('audit', 'list', '--workspace', workspace, ...words)).json.data;
  const place = () => placeAuditEntries(database.orm('worker'));
  const verify = () => run('audit', 'verify', '--workspace', workspace);
  const exportTo = (file: string, environment = 'sandbox') =>
    run('audit', 'export', file, '--workspace', workspace, '--environment', environment);
  const verifyFile = (file: string) => assay(undefined, 'audit', 'verify', '--file', file, '--json');

  before(async () => {
    database = await auditDatabase(DATABASE);
    folder = await mkdtemp(path.join(tmpdir(), 'assay-audit-'));
    const of = ['--workspace'];
    workspace = await uidOf('workspace', 'create', '--name', 'Acme');
    of.push(workspace);
    const person = (name: string, roles: string) =>
      uidOf('person', 'create', ...of, '--name', name, '--email', `${name}@acme.example`, '--roles', roles);
    [ann, ben] = [await person('ann', 'owner'), await person('ben', 'approver')];
    const application = (environment: string) =>
      uidOf(
        ...['app', 'create', ...of, '--name', 'desk', '--environment', environment],
        ...['--scopes', 'quant:compute:read', '--owner', ann],
      );
    [app, live] = [await application('sandbox'), await application('production')];
  });
  after(async () => {
    await database.close();
    await rm(folder, { recursive: true });
  });

  it('shows the actor, operation and subject of each change in its environment', async () => {
    await run('app', 'set-scopes', app, 'all');
    await run('app', 'suspend', app);
    await run('app', 'suspend', app);
    await run('app', 'resume', app);
    const key = await uidOf('key', 'issue', '--app', app, '--as', ben);
    const second = await uidOf('key', 'rotate', key);
    await run('key', 'revoke', second);
    await run('workspace', 'set-class', workspace, 'developer');
    const client = (await run('oauth', 'issue', '--app', app)).json.client_id;
    await run('oauth', 'rotate', client, '--as', ben);
    await run('oauth', 'revoke', client);
    await run('model', 'deactivate', 'svc_theme_factor_ridge_v1', '--workspace', workspace);
    const model = ['svc_theme_factor_ridge_v1', '--workspace', workspace, '--version', '1.0.0', '--as', ben];
    await run('model', 'activate', ...model);
    const imported = await run('import', 'taxonomy', 'lib/sample/taxonomy.csv', '--workspace', workspace);
    await run('import', 'taxonomy', 'lib/sample/taxonomy.csv', '--workspace', workspace);
    const reported = (await list('--environment', 'sandbox')).map((entry: any) => [
      entry.op,
      entry.subject.uid,
      entry.actor.uid ?? entry.actor.kind,
    ]);
    expect(reported.reverse()).to.deep.equal([
      ['workspace.created', workspace, 'system'],
      ['person.created', ann, 'system'],
      ['person.created', ben, 'system'],
      ['application.created', app, 'system'],
      ['application.scopes_set', app, 'system'],
      ['application.suspended', app, 'system'],
      ['application.resumed', app, 'system'],
      ['key.issued', key, ben],
      ['key.revoked', key, ann],
      ['key.issued', second, ann],
      ['key.revoked', second, 'system'],
      ['workspace.class_set', workspace, 'system'],
      ['oauth_client.issued', client, ann],
      ['oauth_client.rotated', client, ben],
      ['oauth_client.revoked', client, 'system'],
      ['model.deactivated', 'svc_theme_factor_ridge_v1', ann],
      ['model.activated', 'svc_theme_factor_ridge_v1', ben],
      ['dataset.imported', imported.json.dataset.uid, ann],
    ]);
    const ofLive = (await list('--environment', 'production')).map((entry: any) => entry.op);
    expect(ofLive).to.include.members(['workspace.created', 'workspace.class_set', 'dataset.imported']);
    expect(ofLive.filter((op: string) => op.startsWith('application.'))).to.deep.equal([
      'application.created',
    ]);
  });

  it('shows commands that were refused for lack of a second person', async () => {
    const codes = new Map<string, InstanceType<typeof TOTP>>();
    const code = (person: string, ahead = 0) =>
      codes.get(person)!.generate({ timestamp: Date.now() + ahead * 30_000 });
    const enrol = async (person: string, ...by: string[]) => {
      const { secret } = (await run('person', 'enrol', person, ...by)).json;
      codes.set(person, new TOTP({ secret: Secret.fromBase32(secret) }));
    };
    const who = ['--name', 'eve', '--email', 'eve@acme.example', '--roles', 'auditor'];
    const eve = await uidOf('person', 'create', '--workspace', workspace, ...who);
    await enrol(eve);
    for (const person of [ann, ben])
      codes.set(person, new TOTP({ secret: Secret.fromBase32(await enrolledSecret(database, person)) }));
    const access = (event: string, person: string, ahead = 0) =>
      run('app', 'production-access', event, live, '--as', person, '--code', code(person, ahead));
    expect((await access('request', ann)).status).to.equal(0);
    const refused = await access('approve', ann, 1);
    expect(refused).to.include({ status: 1, stdout: '' });
    expect(refused.stderr).to.match(/^second_person_required: /);
    expect((await access('approve', ben)).status).to.equal(0);
    const reported = (await list('--subject', live, '--environment', 'production'))
      .filter(({ op }: any) => op.startsWith('production_access.'))
      .map((entry: any) => [entry.op, entry.actor.uid, entry.outcome.status, entry.outcome.code]);
    expect(reported.reverse()).to.deep.equal([
      ['production_access.requested', ann, 'done', null],
      ['production_access.approved', ann, 'refused', 'second_person_required'],
      ['production_access.approved', ben, 'done', null],
    ]);
  });

  it('lists entries by op, subject and time, newest first, over both environments', async () => {
    expect(await list('--op', 'application.created')).to.have.lengthOf(2);
    const [newest] = await list('--limit', '1');
    expect(newest.op).to.equal('production_access.approved');
    const since = await list('--since', newest.at);
    expect(since.map(({ at }: any) => at)).to.include(newest.at);
    expect(await list('--since', '2999-01-01T00:00:00Z')).to.deep.equal([]);
    expect((await run('audit', 'list', '--workspace', workspace, '--since', 'yesterday')).stderr).to.match(
      /^invalid_instant: /,
    );
    expect((await run('audit', 'list', '--workspace', 'wsp_x')).stderr).to.match(/^workspace_unknown: /);
    const table = await assay(database, 'audit', 'list', '--workspace', workspace, '--op', 'key.issued');
    expect(table.stdout).to.match(/sandbox .*key\.issued/);
  });

  it('never contains a secret, a one-time code or an address', async () => {
    const issued = await run('key', 'issue', '--app', app);
    const client = await run('oauth', 'issue', '--app', app);
    const text = JSON.stringify(await list('--limit', '1000'));
    for (const secret of [issued.json.api_key, client.json.client_secret, '@acme.example']) {
      expect(text).to.not.include(secret);
    }
  });

  it('verifies the log and counts the entries that are not yet in the tree', async () => {
    const [before] = (await verify()).json.data;
    expect(before).to.deep.include({ environment: 'sandbox', entries: 0, checkpoints: 0 });
    expect(before.not_placed).to.be.greaterThan(15);
    await place();
    await run('app', 'suspend', app);
    const verified = await verify();
    expect(verified.status, verified.stderr).to.equal(0);
    expect(verified.json.data[0]).to.include({ entries: before.not_placed, checkpoints: 1, not_placed: 1 });
    await place();
    expect((await verify()).json.data[0]).to.include({
      entries: before.not_placed + 1,
      checkpoints: 2,
      not_placed: 0,
    });
  });

  it('exports to a new file a log that can be verified without a database', async () => {
    const file = path.join(folder, 'log.ndjson');
    const exported = await exportTo(file);
    expect(exported.status, exported.stderr).to.equal(0);
    expect((await stat(file)).mode & 0o777).to.equal(0o600);
    const [sandbox] = (await verify()).json.data;
    expect(exported.json).to.include({
      file,
      entries: sandbox.entries,
      root_hash: sandbox.root_hash,
      not_placed: 0,
    });
    const verified = await verifyFile(file);
    expect(verified.status, verified.stderr).to.equal(0);
    expect(verified.json).to.include({
      workspace,
      environment: 'sandbox',
      entries: sandbox.entries,
      root_hash: sandbox.root_hash,
    });
    expect((await exportTo(file)).stderr).to.match(/^file_exists: /);
    const piped = await assay(
      database,
      'audit',
      'export',
      '-',
      ...['--workspace', workspace, '--environment', 'sandbox'],
    );
    expect(piped.stdout).to.equal(await readFile(file, 'utf8'));
    expect(piped.stderr).to.match(/^\d+ entries, 0 not in the tree yet, root [0-9a-f]{64}$/m);
  });

  it('exports a log that has no entries', async () => {
    const empty = await uidOf('workspace', 'create', '--name', 'Empty');
    const file = path.join(folder, 'empty.ndjson');
    await run('audit', 'export', file, '--workspace', empty, '--environment', 'production');
    expect((await verifyFile(file)).json).to.include({ workspace: empty, entries: 0 });
  });

  it('exits with 1 and reports the first difference in a file or in the database', async () => {
    const lines = (await readFile(path.join(folder, 'log.ndjson'), 'utf8')).split('\n');
    const file = path.join(folder, 'changed.ndjson');
    await writeFile(file, lines.toSpliced(3, 1).join('\n'));
    const ofFile = await verifyFile(file);
    expect(ofFile).to.include({ status: 1, stdout: '' });
    expect(ofFile.stderr).to.match(/^log_broken: entry 3 is missing/);
    const superuser = new Client({ connectionString: (await testCluster()).superuserUrl(DATABASE) });
    await superuser.connect();
    // Disables the triggers for this connection.
    await superuser.query(`set session_replication_role = replica`);
    await superuser.query(`delete from audit_node where workspace_uid = $1 and level = 1`, [workspace]);
    await superuser.end();
    const ofDatabase = await verify();
    expect(ofDatabase).to.include({ status: 1, stdout: '' });
    expect(ofDatabase.stderr).to.match(/^log_broken: sandbox: node 0 of level 1 is not stored/);
  });

  it('requires a readable file or a workspace', async () => {
    expect((await assay(undefined, 'audit', 'verify')).stderr).to.match(/^unclear_log: /);
    expect((await verifyFile(path.join(folder, 'none.ndjson'))).stderr).to.match(/^file_unusable: /);
  });
});
