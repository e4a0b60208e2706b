import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { clientOf } from '../../support/client.ts';
import { onOneBackend } from '../../support/live.ts';
import { policyInForce } from '../../support/policy-record.ts';
import { waitingWorkflow, startWorkflow, workflowPolicy } from '../../support/workflow.ts';
import { countGrants, offerWorkflow } from '../../support/workflow-library.ts';

const LIBRARY = '/workflows/library';

onOneBackend('The library of workflows', function (live) {
  let tenancy: Tenancy;
  let second: string;
  let folder: string;

  before(async () => {
    tenancy = await buildTenancy(live());
    second = (await buildTenancy(live(), { workspace: tenancy.workspace })).person;
    folder = await mkdtemp(path.join(tmpdir(), 'assay-library-'));
  });
  after(() => rm(folder, { recursive: true }));

  const client = (of: Tenancy = tenancy) => clientOf(live(), of.key);
  const install = (key: string, body: object = {}, of = tenancy) =>
    client(of).post(`${LIBRARY}/${key}/install`, body);
  const command = (...words: string[]) => assay(live(), 'workflow', ...words, '--json');
  const as = (person: string) => ['--as', person];

  /** Offers a workflow as one person and approves it as another. */
  async function offer(key: string, title: string): Promise<any> {
    const file = path.join(folder, `${key}.json`);
    await writeFile(file, JSON.stringify({ ...waitingWorkflow, key, title }));
    const place = ['--workspace', tenancy.workspace, '--category', 'controls', '--publisher', 'Operations'];
    const offered = await command('offer', file, ...place, ...as(tenancy.person));
    expect(offered.json?.state, offered.stderr).to.equal('proposed');
    const own = await command('approve', offered.json.uid, ...as(tenancy.person));
    expect(own.stderr).to.match(/^second_person_required/);
    const approved = await command('approve', offered.json.uid, ...as(second));
    expect(approved.json?.state, approved.stderr).to.equal('published');
    return approved.json;
  }

  it('lists the shipped workflows by key, page by page and by word', async () => {
    const { body } = await client().get(`${LIBRARY}?limit=100`);
    const keys = body.data.map(({ key }: any) => key);
    expect(keys).to.deep.equal([...keys].sort());
    const forecast = body.data.find(({ key }: any) => key === 'forecast-refresh');
    expect(forecast.inputs_schema.required).to.deep.equal(['model_uid', 'dataset_id', 'metric', 'horizon']);
    expect(forecast).to.deep.include({ publisher: 'Assay', status: 'published', cost_estimate: null });
    const first = await client().get(`${LIBRARY}?limit=2`);
    const next = await client().get(`${LIBRARY}?limit=2&cursor=${first.body.page.next_cursor}`);
    expect([...first.body.data, ...next.body.data].map(({ key }: any) => key)).to.deep.equal(
      keys.slice(0, 4),
    );
    const found = await client().get(`${LIBRARY}?q=evid%20WEEK`);
    expect(found.body.data.map(({ key }: any) => key)).to.deep.equal(['weekly-evidence-pack']);
    expect((await client().get(`${LIBRARY}?q=zz`)).body.data).to.deep.equal([]);
  });

  it('installs a workflow once for any number of concurrent requests, and changes nothing else (I-190, I-191)', async () => {
    const before = await countGrants(live());
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => install('month-end-themes', { parameters: { history_months: 24 } })),
    );
    expect(new Set(answers.map(({ body }) => body.uid)).size).to.equal(1);
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([...Array(7).fill(200), 201]);
    expect(await countGrants(live())).to.deep.equal(before);
    const { body } = answers[0]!;
    expect(body.grants).to.deep.equal({ scopes: [], run_authority: false });
    expect(body).to.deep.include({ state: 'installed_disabled', missing: { scopes: [], entitlements: [] } });
    const listed = await client().get('/workflows/installations?workflow_key=month-end-themes');
    expect(listed.body.data.map(({ uid }: any) => uid)).to.deep.equal([body.uid]);
    const other = await buildTenancy(live());
    expect((await client(other).get('/workflows/installations')).body.data).to.deep.equal([]);
  });

  it('has installations that two persons enable by publishing the content, and that grant nothing (I-194)', async () => {
    const { uid } = (await install('month-end-themes', { parameters: { history_months: 24 } })).body;
    const place = ['--workspace', tenancy.workspace, '--installation', uid];
    const wrong = await command('publish', 'weekly-ledger-close', ...place, ...as(tenancy.person));
    expect(wrong.stderr).to.match(/^installation_unknown/);
    const proposed = await command('publish', 'month-end-themes', ...place, ...as(tenancy.person));
    expect(proposed.json?.state, proposed.stderr).to.equal('proposed');
    const state = async () =>
      (await client().get('/workflows/installations')).body.data.find((each: any) => each.uid === uid).state;
    expect(await state()).to.equal('installed_disabled');
    expect((await command('approve', proposed.json.uid, ...as(second))).json?.state).to.equal('published');
    expect(await state()).to.equal('enabled');
    for (const { grants } of (await client().get('/workflows/installations')).body.data)
      expect(grants).to.deep.equal({ scopes: [], run_authority: false });
    const { body } = await client().get(`${LIBRARY}?q=month-end-themes`);
    expect(body.data[0].installed).to.deep.include({ uid, version: 1, state: 'enabled' });
    expect((await client().get(`/workflows/runs?installation_uid=${uid}`)).body.data).to.deep.equal([]);
  });

  it('lists the runs of an installation, and those before an instant', async () => {
    const own = await buildTenancy(live());
    const other = await buildTenancy(live(), { workspace: own.workspace });
    await policyInForce(live(), own, { body: workflowPolicy('allow') });
    const key = 'offered-runs';
    await offerWorkflow(live(), tenancy, second, { key, title: 'Runs' });
    const { uid } = (await install(key, {}, own)).body;
    const place = ['--workspace', own.workspace, '--installation', uid];
    const proposed = await command('publish', key, ...place, ...as(own.person));
    await command('approve', proposed.json.uid, ...as(other.person));
    const run = await startWorkflow(live(), own, {
      key,
      uid: proposed.json.uid,
      definition: waitingWorkflow,
    } as any);
    const runs = async (query: string) =>
      (await client(own).get(`/workflows/runs?${query}`)).body.data.map((each: any) => each.uid);
    expect(await runs(`installation_uid=${uid}`)).to.deep.equal([run]);
    expect(await runs('until=2999-01-01T00:00:00Z')).to.deep.equal([run]);
    expect(await runs('since=2020-01-01T00:00:00Z&until=2020-01-02T00:00:00Z')).to.deep.equal([]);
    expect(await runs('until=0001-01-01T00:00:00Z')).to.deep.equal([]);
    const foreign = (await client().get(`/workflows/runs?installation_uid=${uid}`)).body.data;
    expect(foreign).to.deep.equal([]);
  });

  it('upgrades by naming the installation that is replaced', async () => {
    const put = (title: string) => offerWorkflow(live(), tenancy, second, { key: 'upgraded', title });
    await put('One');
    const one = await install('upgraded');
    await put('Two');
    const refused = await install('upgraded');
    expect([refused.status, refused.body.code]).to.deep.equal([409, 'different_version_installed']);
    expect(refused.body.existing).to.deep.equal({ uid: one.body.uid, version: 1 });
    expect((await install('upgraded', { version: 1 })).body.uid).to.equal(one.body.uid);
    const two = await install('upgraded', { replaces: one.body.uid });
    expect([two.status, two.body.version, two.body.replaces]).to.deep.equal([201, 2, one.body.uid]);
    const again = await install('upgraded', { replaces: one.body.uid });
    expect([again.status, again.body.uid]).to.deep.equal([200, two.body.uid]);
    const old = await install('upgraded', { version: 1, replaces: one.body.uid });
    expect([old.status, old.body.code]).to.deep.equal([409, 'installation_superseded']);
    const states = (await client().get('/workflows/installations?workflow_key=upgraded')).body.data;
    expect(states.map(({ state }: any) => state)).to.deep.equal(['installed_disabled', 'superseded']);
    expect((await command('uninstall', two.body.uid, ...as(tenancy.person))).json?.state).to.equal('removed');
    expect((await install('upgraded', { version: 2 })).status).to.equal(201);
  });

  it('refuses a withdrawn, an unknown and an unentitled workflow, and parameters that do not match', async () => {
    const item = await offer('withdrawn-soon', 'Soon');
    expect((await command('deprecate', item.uid, ...as(tenancy.person))).json?.state).to.equal('deprecated');
    const { body } = await client().get(`${LIBRARY}?status=deprecated`);
    expect(body.data.map(({ key }: any) => key)).to.deep.equal(['withdrawn-soon']);
    expect((await command('withdraw', item.uid, ...as(tenancy.person))).json?.state).to.equal('withdrawn');
    const refusals: [key: string, body: object, status: number, code: string][] = [
      ['withdrawn-soon', {}, 409, 'library_item_withdrawn'],
      ['nothing', {}, 404, 'not_found'],
      ['..%2Fx', {}, 404, 'not_found'],
      ['month-end-themes', { version: 2 }, 404, 'not_found'],
      ['weekly-ledger-close', { parameters: null }, 422, 'validation_failed'],
      ['weekly-ledger-close', { parameters: {} }, 422, 'validation_failed'],
      ['weekly-ledger-close', { parameters: { metric: 'x', horizon: 61 } }, 422, 'validation_failed'],
      ['weekly-ledger-close', { replaces: `wfi_${'0'.repeat(26)}` }, 422, 'validation_failed'],
    ];
    for (const [key, given, status, code] of refusals) {
      const answer = await install(key, given);
      expect([answer.status, answer.body.code], `${key} ${JSON.stringify(given)}`).to.deep.equal([
        status,
        code,
      ]);
    }
    const faults = (await install('weekly-ledger-close', { parameters: { extra: 1 } })).body.errors;
    expect(faults.map(({ pointer }: any) => pointer)).to.have.members([
      '/parameters/extra',
      '/parameters/metric',
      '/parameters/horizon',
    ]);
  });
});
