import { expect } from 'chai';
import { checkSeal } from '#lib/core/seal.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { clientOf, type Client } from '../../support/client.ts';
import { createFeature } from '../../support/feature.ts';
import { importCsv } from '../../support/import.ts';
import { onOneBackend } from '../../support/live.ts';
import { FACTORS, MONTHLY_RETURNS } from '../../support/monthly-returns.ts';
import { createProject, SNAPSHOTS } from '../../support/research.ts';
import { asSuperuser } from '../../support/rows.ts';

const STOCKS = ['BAC', 'JPM', 'XOM'];
const months = MONTHLY_RETURNS.slice(200).map((line) => {
  const [day, ...values] = line.split(',');
  return { day: day!, of: (name: string) => Number(values[FACTORS.indexOf(name)]) };
});
const TRAINED = 62;
const NEWER = 58;

onOneBackend('numeric models on sealed research snapshots', function (live) {
  let tenancy: Tenancy;
  let client: Client;
  let second: string;
  let project: number;
  let snapshots: string[];

  const run = (...words: string[]) => assay(live(), ...words, '--json');
  const done = async (...words: string[]) => {
    const { json, status, stderr } = await run(...words);
    expect(status, stderr).to.equal(0);
    return json;
  };
  const place = () => ['--workspace', tenancy.workspace, '--as', tenancy.person];
  const fromSnapshots = (name: string, ...words: string[]) =>
    run('dataset', 'from-snapshots', String(project), '--name', name, ...place(), ...words);
  const create = (key: string, ...words: string[]) =>
    run('lqm', 'create', '--key', key, '--name', key, '--family', 'ridge', ...place(), ...words);
  const target = ['--target', 'JPM', '--horizon', '0'];
  const seal = async (projectId: number, day: string) => {
    const { status, body } = await client.post(SNAPSHOTS, { project_id: projectId, as_of_date: day });
    expect(status, JSON.stringify(body)).to.equal(201);
    return body.uid as string;
  };
  /** Changes a sealed value, bypassing every rule of the database. */
  const alter = (uid: string, from: string, to: string) =>
    asSuperuser(live(), (client) =>
      client.query(
        'update run_result set attachments = replace(attachments::text, $1, $2)::json where run_uid = $3',
        [from, to, uid],
      ),
    );

  before(async () => {
    tenancy = await buildTenancy(live());
    client = clientOf(live(), tenancy.key);
    ({ person: second } = await buildTenancy(live(), { workspace: tenancy.workspace }));
    const values = months.slice(0, TRAINED + NEWER).flatMap(({ day, of }) => {
      const known = `${day}T00:00:00Z`;
      return STOCKS.map((entity) => ({ entity, eventTime: known, knownAt: known, value: of(entity) }));
    });
    const { key } = await createFeature(live(), tenancy, { unit: 'log_return', maxAgeDays: 20, values });
    project = await createProject(live(), tenancy, [key]);
    snapshots = [];
    for (let at = 0; at < TRAINED + NEWER; at += 8) {
      const days = months.slice(at, Math.min(at + 8, TRAINED + NEWER));
      snapshots.push(...(await Promise.all(days.map(({ day }) => seal(project, day)))));
    }
  });

  it('are trained, evaluated, approved by another person and assessed for drift', async () => {
    const [first, last] = [months[0]!.day, months[TRAINED - 1]!.day];
    const { json: made, stderr } = await fromSnapshots('sealed', '--from', first, '--to', last);
    expect(made, stderr).to.include({ rows: TRAINED, columns: 3, revision: 1, already_imported: false });
    const again = await fromSnapshots('sealed', '--from', first, '--to', last);
    expect(again.json).to.include({ content_hash: made.content_hash, already_imported: true });
    const shown = await done('dataset', 'show', String(made.dataset_id));
    expect(shown.columns).to.deep.equal(STOCKS.map((name) => ({ name, type: 'number', unit: 'log_return' })));
    expect(shown.snapshots.snapshots.map(({ uid }: { uid: string }) => uid)).to.deep.equal(
      snapshots.slice(0, TRAINED),
    );
    const described = await run(
      ...['dataset', 'describe', String(made.dataset_id), '--units', 'JPM=USD', '--as', tenancy.person],
    );
    expect(described.stderr).to.match(/^units_sealed/);

    const { json: model } = await create('sealed', '--dataset', String(made.dataset_id), ...target);
    expect(await done('lqm', 'train', model.uid)).to.include({ state: 'succeeded', rows: TRAINED });
    const { status, body } = await client.post(`/lqm/models/${model.uid}/evaluations`, {});
    expect([status, body.result?.passed], JSON.stringify(body)).to.deep.equal([201, true]);
    const tried = await run('lqm', 'approve', model.uid, '--as', tenancy.person);
    expect(tried.stderr).to.match(/^approver_is_author/);
    await done('lqm', 'approve', model.uid, '--as', second);

    const card = await done('lqm', 'card', model.uid);
    const { body: snapshot } = await client.get(`${SNAPSHOTS}/${snapshots[0]}`);
    expect(card.training_data.source).to.equal(
      `${TRAINED} sealed snapshots of project ${project}, version 1, ${first} to ${last}`,
    );
    expect(card.training_data.snapshots.snapshots[0]).to.deep.equal({
      uid: snapshots[0],
      as_of_date: first,
      content_hash: snapshot.result.content_hash,
      seal_hash: snapshot.seal.hash,
    });
    expect(card.training_data.snapshots.snapshots).to.have.length(TRAINED);
    const { data } = (await client.get('/ml/models')).body;
    expect(data[0].training_data).to.deep.equal({
      id: made.dataset_id,
      revision: 1,
      content_hash: made.content_hash,
      snapshots: { project_id: project, project_version: 1, count: TRAINED, first, last },
    });

    const newer = await fromSnapshots('newer', '--from', months[TRAINED]!.day);
    const id = String(newer.json.dataset_id);
    const assess = () =>
      client.post(`/lqm/models/${model.uid}/drift-assessments`, { dataset_id: newer.json.dataset_id });
    const ungoverned = await assess();
    expect([ungoverned.status, ungoverned.body.reasons]).to.deep.equal([409, ['dataset_not_governed']]);
    await done(
      'dataset',
      'describe',
      id,
      '--owner',
      tenancy.person,
      '--licence',
      'CC0-1.0',
      '--as',
      tenancy.person,
    );
    await done('dataset', 'approve', id, '--as', second);
    const assessed = await assess();
    expect(assessed.status, JSON.stringify(assessed.body)).to.equal(201);
    expect(checkSeal(assessed.body)).to.include({ intact: true });
    const { checkpoint } = (await client.get(`/lqm/trainings/${card.training_uid}`)).body.result;
    for (const { column, decile_edges, ...profile } of checkpoint.reference_profile.columns) {
      const found = assessed.body.result.columns.find((each: { column: string }) => each.column === column);
      expect([found.reference, decile_edges.length]).to.deep.equal([profile, 9]);
    }
    expect(assessed.body.result.columns.map(({ column }: { column: string }) => column)).to.include.members(
      STOCKS,
    );
  });

  it('are not trained if a snapshot differs from its seal', async () => {
    const { json: model, stderr } = await create('direct', '--snapshots', String(project), ...target);
    expect(model, stderr).to.include({ family: 'ridge', factors: 3 });
    expect(await done('lqm', 'train', model.uid)).to.include({ state: 'succeeded', rows: TRAINED + NEWER });
    const value = String(months[5]!.of('JPM'));
    await alter(snapshots[5]!, value, `${value}1`);
    const { status, body } = await client.post(`/lqm/models/${model.uid}/trainings`, {});
    expect([status, body.code]).to.deep.equal([409, 'snapshot_altered']);
    expect(body.detail).to.include(snapshots[5]);
    expect((await fromSnapshots('altered')).stderr).to.match(/^snapshot_altered/);
    await alter(snapshots[5]!, `${value}1`, value);
    expect((await client.post(`/lqm/models/${model.uid}/trainings`, {})).status).to.equal(201);
  });

  it('leave the dataset of the snapshots unchanged if the model version is rejected', async () => {
    const entries = async () => {
      const words = ['audit', 'list', '--workspace', tenancy.workspace, '--op', 'dataset.imported'];
      return (await done(...words)).data.length;
    };
    const before = await entries();
    const some = ['--snapshots', String(project), '--snapshot-entities', 'BAC,XOM'];
    const unknown = await create('direct', ...some, ...target);
    expect(unknown.stderr).to.match(/^column_unknown/);
    const other = await create('direct', ...some, '--family', 'gbt', '--target', 'BAC');
    expect(other.stderr).to.match(/^family_differs/);
    expect(await entries()).to.equal(before);
    const { json: model, stderr } = await create('direct', ...some, '--target', 'BAC');
    expect(model, stderr).to.include({ version: 2, factors: 2 });
    expect(await entries()).to.be.greaterThan(before);
  });

  it('can be used for scenarios, also with an earlier version that was approved again', async () => {
    const regimes = async () => {
      const { json, stderr } = await run(
        ...['lqm', 'create', '--key', 'regimes', '--name', 'Regimes', '--max-age-days', '36600'],
        ...['--snapshots', String(project), ...place()],
      );
      expect(json?.uid, stderr).to.be.a('string');
      for (const step of ['trainings', 'evaluations']) {
        const { status, body } = await client.post(`/lqm/models/${json.uid}/${step}`, {});
        expect(status, JSON.stringify(body)).to.equal(201);
      }
      await done('lqm', 'approve', json.uid, '--as', second);
      return json.uid as string;
    };
    const scenario = async () => {
      const { body } = await client.post('/generative/scenarios', { regime: 'calm', samples: 100 });
      return body.code ?? body.input.version;
    };
    const model = await regimes();
    expect(await scenario()).to.equal(1);
    await regimes();
    const again = (by: string) => run('lqm', 'approve', model, '--version', '1', '--as', by);
    expect((await again(second)).stderr).to.match(/^model_superseded/);
    await done('lqm', 'retire', model, '--reason', 'worse', '--as', second);
    expect(await scenario()).to.equal('model_not_approved');
    expect((await again(tenancy.person)).stderr).to.match(/^approver_is_author/);
    expect((await again(second)).json).to.include({ version: 1, state: 'approved' });
    expect(await scenario()).to.equal(1);
    expect((await again(second)).stderr).to.match(/^model_approved/);
    const { data } = await done('lqm', 'serving', '--model', model);
    expect(data.map(({ version }: { version: number }) => version)).to.deep.equal([1, 2, 1]);
  });

  it('are rejected for inputs that are unknown, not sealed, in several currencies or too few', async () => {
    const refused = async (code: string, answer: ReturnType<typeof run>) => {
      const { status, stderr } = await answer;
      expect([status, stderr.split(':')[0]]).to.deep.equal([1, code]);
    };
    const unsealed = await client.post(SNAPSHOTS, { project_id: project, as_of_date: '1980-01-31' });
    expect(unsealed.body.code).to.equal('no_observations');
    const { data } = (await client.get(`${SNAPSHOTS}?state=failed`)).body;
    await refused('snapshot_unsealed', fromSnapshots('no', '--snapshots', data[0].uid));
    await refused('snapshot_unknown', fromSnapshots('no', '--snapshots', `rss_${'0'.repeat(26)}`));
    await refused('snapshots_missing', fromSnapshots('no', '--to', '1980-01-01'));
    await refused('entity_unknown', fromSnapshots('no', '--entities', 'NOBODY'));
    await refused('feature_unknown', fromSnapshots('no', '--features', 'nothing'));
    await refused(
      'project_unknown',
      run('dataset', 'from-snapshots', '999999999', '--name', 'no', ...place()),
    );
    await refused('dataset_missing', create('neither', ...target));

    await importCsv(live(), tenancy.workspace, 'instruments', [
      'symbol,name,sector,currency,published_at',
      'EURO,Euro,Energy,EUR,2020-01-01',
      'DOLLAR,Dollar,Energy,USD,2020-01-01',
    ]);
    const known = '2020-01-31T00:00:00Z';
    const { key } = await createFeature(live(), tenancy, {
      unit: 'price',
      values: ['EURO', 'DOLLAR'].map((entity) => ({ entity, eventTime: known, knownAt: known, value: 1 })),
    });
    const priced = await createProject(live(), tenancy, [key]);
    await seal(priced, '2020-01-31');
    const from = (...words: string[]) =>
      run('dataset', 'from-snapshots', String(priced), '--name', 'priced', ...place(), ...words);
    await refused('currencies_mixed', from());
    const { json: few, stderr } = await from('--entities', 'EURO');
    expect(few, stderr).to.include({ rows: 1, columns: 1 });
    const { json: model } = await create('few', '--dataset', String(few.dataset_id), '--target', 'EURO');
    const { status, body } = await client.post(`/lqm/models/${model.uid}/trainings`, {});
    expect([status, body.code, body.observed, body.needed]).to.deep.equal([
      422,
      'training_data_ineligible',
      1,
      61,
    ]);
  });
});
