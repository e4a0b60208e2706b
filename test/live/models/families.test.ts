import { expect } from 'chai';
import { checkSeal } from '#lib/core/seal.ts';
import { utcDate } from '#lib/core/clock.ts';
import { listAudit } from '#lib/audit/audit-entry.query.ts';
import { inTenant } from '#lib/database/orm.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { clientOf, type Client } from '../../support/client.ts';
import { onOneBackend } from '../../support/live.ts';
import { FACTORS, MONTHLY_RETURNS } from '../../support/monthly-returns.ts';
import { importNumericDataset } from '../../support/numeric-dataset.ts';
import { writeModel } from '../../support/numeric-model.ts';

const units = FACTORS.map((name) => `${name}=log_return`).join(',');

onOneBackend('models that predict', function (live) {
  let tenancy: Tenancy;
  let client: Client;
  let second: string;
  let dataset: number;

  const lqm = (...words: string[]) => assay(live(), 'lqm', ...words, '--json');
  const done = async (...words: string[]) => {
    const { json, status, stderr } = await lqm(...words);
    expect(status, stderr).to.equal(0);
    return json;
  };
  const create = (key: string, family: string, ...words: string[]) =>
    lqm(
      ...['create', '--workspace', tenancy.workspace, '--key', key, '--name', key, '--family', family],
      ...['--dataset', String(dataset), '--target', 'JPM', '--as', tenancy.person, ...words],
    );
  const built = async (uid: string) => {
    for (const step of ['trainings', 'evaluations']) {
      const { status, body } = await client.post(`/lqm/models/${uid}/${step}`, {});
      expect(status, JSON.stringify(body)).to.equal(201);
      expect(checkSeal(body)).to.include({ intact: true });
      if (step === 'evaluations') return body;
    }
  };

  /** Returns the audit log's record of how each run was started. */
  const entriesOf = async (...subjects: string[]) => {
    const place = { workspace: tenancy.workspace, environment: 'sandbox' } as const;
    const found = await Promise.all(
      subjects.map((subject) =>
        inTenant(live().orm('operator'), place, (em) => listAudit(em, { subject, limit: 20 })),
      ),
    );
    return found
      .flat()
      .filter(({ entry }) => entry.op.endsWith('_started'))
      .map(({ entry: { op, actor, details = {} } }) => [
        op,
        actor.uid,
        details['kind'],
        details['application_uid'],
      ]);
  };

  before(async () => {
    tenancy = await buildTenancy(live());
    client = clientOf(live(), tenancy.key);
    ({ person: second } = await buildTenancy(live(), { workspace: tenancy.workspace }));
    dataset = await importNumericDataset(live(), tenancy, { name: 'returns', lines: MONTHLY_RETURNS, units });
  });

  it('are trained and evaluated on the command line and approved by another person', async () => {
    const { json: model, stderr } = await create('jpm', 'ridge', '--horizon', '0');
    expect(model, stderr).to.include({ family: 'ridge', version: 1, factors: 10 });
    const trained = await done('train', model.uid, '--as', tenancy.person);
    expect(trained).to.include({ state: 'succeeded', model_uid: model.uid, version: 1, rows: 395 });
    expect(trained.mean_squared_error).to.be.lessThan(trained.baseline_mean_squared_error);
    const evaluated = await done('evaluate', model.uid, '--holdout-share', '0.25');
    expect(evaluated).to.deep.include({
      state: 'succeeded',
      passed: true,
      held_out_rows: 98,
      approved: null,
    });
    expect(await entriesOf(trained.uid, evaluated.uid)).to.deep.equal([
      ['lqm.training_started', tenancy.person, 'modeling.trainings', tenancy.application],
      ['lqm.evaluation_started', tenancy.person, 'modeling.evaluations', tenancy.application],
    ]);
    expect(evaluated.skill).to.be.greaterThan(0.4);
    expect(evaluated.difference_p_value).to.be.lessThan(0.001);
    const tried = await lqm('approve', model.uid, '--as', tenancy.person);
    expect([tried.status, tried.stderr.includes('approver_is_author')]).to.deep.equal([1, true]);
    const before = await client.get('/ml/models?served_on=2020-01-01');
    expect(before.body.data).to.deep.equal([]);
    await done('approve', model.uid, '--as', second);

    const today = utcDate(new Date());
    const { body: served } = await client.get(`/ml/models?served_on=${today}`);
    expect(served.data).to.have.length(1);
    expect(served.data[0]).to.include({ uid: model.uid, state: 'approved', serves: true, family: 'ridge' });
    expect(served.data[0].signature).to.include({ target: 'JPM', horizon: 0 });
    expect((await client.get('/generative/models')).body.data).to.deep.equal([]);
    const scenario = { regime: 'calm', samples: 100 };
    const unnamed = await client.post('/generative/scenarios', scenario);
    expect([unnamed.status, unnamed.body.code]).to.deep.equal([409, 'model_not_approved']);
    const named = await client.post('/ml/scenarios', { ...scenario, model: 'jpm' });
    expect([named.status, named.body.code]).to.deep.equal([409, 'model_not_generative']);

    const then = await done('serving', '--model', model.uid, '--on', today);
    expect(then).to.include({ version: 1, purpose: 'prediction', set_by: second, until: null });
    expect(await done('serving', '--model', model.uid, '--on', '2020-01-01')).to.include({ version: null });
    await done('retire', model.uid, '--reason', 'a better one', '--as', second);
    const { data: history } = await done('serving', '--model', model.uid);
    expect(history).to.have.length(1);
    expect(history[0].until).to.be.a('string');
    expect(history[0]).to.deep.include({ version: 1, version_uid: then.version_uid, set_by: second });
    const card = await done('card', model.uid);
    expect(card).to.include({ state: 'retired', author_uid: tenancy.person, approved_by_uid: second });
    expect(card.size).to.deep.equal({ columns: 10, rows: 395, parameters: 10 });
    expect(card.training_data).to.include({ id: dataset, name: 'returns', licence: 'CC0-1.0' });
    expect(card.evaluation.skill).to.equal(evaluated.skill);
    expect(card.serving[0]).to.include({ purpose: 'prediction', set_by: second });
    expect(card.limits).to.have.length(2);
  });

  it('of each family, including ensembles, replay to the same bytes', async () => {
    const made: Record<string, string> = {};
    for (const [key, family, ...words] of [
      ['next_var', 'var', '--lags-max', '2'],
      ['next_gbt', 'gbt', '--trees', '20', '--depth', '2'],
      ['next_both', 'ensemble', '--members', 'ridge,var,next_gbt@1', '--lags-max', '1'],
    ] as const) {
      const { json, stderr } = await create(key, family, ...words);
      expect(json?.uid, stderr).to.be.a('string');
      made[key] = json.uid;
      const { result } = await built(json.uid);
      expect(result).to.include({ held_out_rows: 79, refits: 5 });
    }
    const { body } = await client.get(`/lqm/trainings?model_uid=${made['next_both']}`);
    const [{ uid }] = body.data;
    const { checkpoint } = (await client.get(`/lqm/trainings/${uid}`)).body.result;
    const { members } = checkpoint.parameters;
    expect(members.map(({ name }: { name: string }) => name)).to.deep.equal(['ridge', 'var', 'next_gbt@1']);
    const total = members.reduce((sum: number, { weight }: { weight: number }) => sum + weight, 0);
    expect(total).to.be.closeTo(1, 1e-12);
    const { body: boosted } = await client.get(`/lqm/trainings?model_uid=${made['next_gbt']}`);
    const sealed = (await client.get(`/lqm/trainings/${boosted.data[0].uid}`)).body.result;
    expect(members[2].parameters).to.deep.equal(sealed.checkpoint.parameters);
    expect(members[2].version.checkpoint_hash).to.equal(sealed.checkpoint_hash);
    const replayed = await assay(live(), 'replay', uid, '--json');
    expect(replayed.json, replayed.stderr).to.include({ identical: true });
  });

  it('are rejected if a member of the ensemble has another target or if the key belongs to another family', async () => {
    const refused = async (code: string, ...words: Parameters<typeof create>) => {
      const { status, stderr } = await create(...words);
      expect([status, stderr.split(':')[0]]).to.deep.equal([1, code]);
    };
    await refused('member_ineligible', 'wrong', 'ensemble', '--members', 'ridge,jpm@1');
    await refused('family_differs', 'jpm', 'gbt');
    const { json: log } = await assay(
      live(),
      ...['audit', 'list', '--workspace', tenancy.workspace, '--op', 'lqm.version_written', '--json'],
    );
    expect(log.data).to.have.length(4);
  });
});

onOneBackend('a retraining that a person approves', function (live) {
  it('trains the next version on the drifted data and compares the predictions of both versions', async () => {
    const tenancy = await buildTenancy(live());
    const client = clientOf(live(), tenancy.key);
    const { person: second } = await buildTenancy(live(), { workspace: tenancy.workspace });
    const [header, ...months] = MONTHLY_RETURNS as [string, ...string[]];
    const model = await writeModel(live(), tenancy, {
      lines: [header, ...months.slice(0, 300)],
      options: ['--family', 'ridge', '--target', 'JPM', '--horizon', '0'],
    });
    for (const step of ['trainings', 'evaluations'])
      expect((await client.post(`/lqm/models/${model.uid}/${step}`, {})).status).to.equal(201);
    const target = header.split(',').indexOf('JPM');
    const moved = months.slice(300).map((line) => {
      const cells = line.split(',');
      return cells.with(target, String(0.3 - Number(cells[target]))).join(',');
    });
    const newer = await importNumericDataset(live(), tenancy, {
      name: 'newer',
      lines: [header, ...moved],
      units,
    });
    const { status, body } = await client.post(`/lqm/models/${model.uid}/drift-assessments`, {
      dataset_id: newer,
    });
    expect(status, JSON.stringify(body)).to.equal(201);
    const states = Object.fromEntries(
      body.result.columns.map(({ column, state }: Record<string, string>) => [column, state]),
    );
    expect([states['JPM'], Object.keys(states)]).to.deep.equal([
      'shifted',
      [...FACTORS.toSorted(), '_prediction'],
    ]);
    expect(body.result).to.include({ severity: 'material', retraining_requested: true });
    expect(body.result.performance).to.include({ state: 'worse', log_score: null });
    expect(body.result.performance.rmse).to.be.greaterThan(body.result.performance.baseline_rmse);

    const listed = await assay(live(), 'lqm', 'review', 'list', '--workspace', tenancy.workspace, '--json');
    const [{ uid }] = listed.json.data;
    const approved = await assay(
      live(),
      ...['lqm', 'review', 'approve', uid, '--reason', 'the bank has changed', '--as', second, '--json'],
    );
    expect(approved.json, approved.stderr).to.include({
      state: 'approved',
      version: 2,
      model_uid: model.uid,
    });
    const training = await client.get(`/lqm/trainings/${approved.json.training_uid}?wait=60`);
    expect(training.body, JSON.stringify(training.body.problem)).to.include({ state: 'succeeded' });
    expect(training.body.input).to.deep.include({
      version_uid: approved.json.trained_version_uid,
      version: 2,
    });
    expect(training.body.input.dataset.id).to.equal(newer);
    const { body: versions } = await client.get('/ml/models');
    expect(versions.data[0]).to.include({ version: 2, state: 'trained', author_uid: second });
  });
});
