import { expect } from 'chai';
import { canonicalHash, checkSeal } from '#lib/core/seal.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { clientOf, type Client } from '../../support/client.ts';
import { onOneBackend } from '../../support/live.ts';
import { FACTORS, MONTHLY_RETURNS, serveModel, writeModel } from '../../support/numeric-model.ts';

const SCENARIOS = '/generative/scenarios';

onOneBackend('POST /generative/scenarios', function (live) {
  let tenancy: Tenancy;
  let client: Client;
  let model: string;
  before(async () => {
    tenancy = await buildTenancy(live());
    client = clientOf(live(), tenancy.key);
    model = (await serveModel(live(), tenancy)).uid;
  });

  it('selects two regimes for real returns by the lowest criterion and evaluates them on later months', async () => {
    const { body: listed } = await client.get('/generative/models');
    expect(listed.data).to.have.length(1);
    expect(listed.data[0]).to.include({
      uid: model,
      state: 'approved',
      serves: true,
      evaluation_passed: true,
    });
    expect((await client.get('/ml/models')).body.data).to.deep.equal(listed.data);
    const { body: training } = await client.get(`/lqm/trainings/${listed.data[0].training_uid}`);
    expect(checkSeal(training)).to.include({ intact: true });
    const { checkpoint, checkpoint_hash, candidates, log_likelihood } = training.result;
    expect(canonicalHash(checkpoint)).to.equal(checkpoint_hash);
    expect(checkpoint.factors).to.deep.equal(FACTORS.toSorted());
    expect(checkpoint.regimes.map(({ name }: { name: string }) => name)).to.deep.equal(['calm', 'stressed']);
    // These are the values of the golden fit of the same returns.
    expect(log_likelihood).to.be.closeTo(5604.726591, 1e-5);
    expect(candidates.map(({ regimes }: { regimes: number }) => regimes)).to.deep.equal([1, 2, 3]);
  });

  it('201 draws and seals the same samples from the same seed', async () => {
    const request = {
      regime: 'stressed',
      samples: 5_000,
      seed: 42,
      stress: [{ factor: 'XOM', shock: -15, unit: 'percent' }],
    };
    const { status, body } = await client.post(SCENARIOS, request);
    expect(status, JSON.stringify(body)).to.equal(201);
    expect(checkSeal(body)).to.include({ intact: true });
    const again = await client.post(SCENARIOS, request);
    expect(again.body.uid).to.not.equal(body.uid);
    expect(again.body.result).to.deep.equal(body.result);
    const other = await client.post(SCENARIOS, { ...request, seed: 43 });
    expect(other.body.result.hashes.samples_hash).to.not.equal(body.result.hashes.samples_hash);
    const { result } = body;
    expect(result.stress).to.deep.equal([{ factor: 'XOM', value: -0.15 }]);
    expect(result.plausibility[0].distance_squared).to.be.closeTo(4.4973, 1e-3);
    const chevron = result.factors.find(({ factor }: { factor: string }) => factor === 'CVX').statistics;
    expect(chevron.mean).to.be.closeTo(-0.13878, 1e-4);
    expect(result.equal_weight.mean).to.be.closeTo(result.closed_form.mean, 1e-12);
    expect(result.equal_weight.standard_deviation).to.be.closeTo(
      result.closed_form.standard_deviation,
      0.002,
    );
    const { hashes } = result;
    expect(hashes.model_hash).to.equal(body.input.checkpoint_hash);
    expect(hashes.feature_context_hash).to.equal(canonicalHash(body.input.context));
    expect(hashes.run_hash).to.match(/^[0-9a-f]{64}$/);
    const replayed = await assay(live(), 'replay', body.uid, '--json');
    expect(replayed.json, replayed.stderr).to.include({ identical: true });
    const { body: read } = await client.get(`/generative/runs/${body.uid}`);
    expect(read.result).to.deep.equal(result);
  });

  it('201 reports the seed that was drawn if the request has no seed', async () => {
    for (const regime of ['current', 'ergodic']) {
      const { status, body } = await client.post(SCENARIOS, { regime, samples: 100 });
      expect(status, JSON.stringify(body)).to.equal(201);
      const shares = body.result.regime_probabilities.map(
        ({ probability }: { probability: number }) => probability,
      );
      expect(shares.reduce((total: number, each: number) => total + each, 0)).to.be.closeTo(1, 1e-9);
      const again = await client.post(SCENARIOS, { regime, samples: 100, seed: body.input.seed });
      expect(again.body.result.hashes.run_hash).to.equal(body.result.hashes.run_hash);
    }
    const heavy = await client.post(`${SCENARIOS}?engine=student_t&degrees_of_freedom=4`, {
      regime: 'calm',
      samples: 20_000,
      seed: 1,
      stress: [{ factor: 'JPM', shock: -2, unit: 'sigma' }],
    });
    expect(heavy.status, JSON.stringify(heavy.body)).to.equal(201);
    expect(heavy.body.result.closed_form).to.equal(null);
    expect(heavy.body.result.equal_weight.excess_kurtosis).to.be.greaterThan(0.5);
  });

  it('422 names invalid regimes, factors and shocks', async () => {
    for (const [request, pointer, code] of [
      [{}, '/regime', 'required'],
      [{ regime: 'crisis' }, '/regime', 'unknown_regime'],
      [{ regime: 'boom' }, '/regime', 'enum'],
      [{ regime: 'calm', samples: 99 }, '/samples', 'minimum'],
      [{ regime: 'calm', seed: -1 }, '/seed', 'minimum'],
      [{ regime: 'calm', stress: [{ factor: 'TSLA', shock: 0.1 }] }, '/stress/0/factor', 'unknown_factor'],
      [
        {
          regime: 'calm',
          stress: [
            { factor: 'KO', shock: 0.1 },
            { factor: 'KO', shock: 0.2 },
          ],
        },
        '/stress/1/factor',
        'repeated',
      ],
    ] as const) {
      const { status, body } = await client.post(SCENARIOS, request);
      expect([status, body.errors?.[0].pointer, body.errors?.[0].code], JSON.stringify(body)).to.deep.equal([
        422,
        pointer,
        code,
      ]);
    }
    const far = await client.post(SCENARIOS, { regime: 'calm', stress: [{ factor: 'KO', shock: -3 }] });
    expect([far.status, far.body.code]).to.deep.equal([422, 'stress_invalid']);
  });

  it('409 reports that no model is in use or that the model is untrained, too old or retired', async () => {
    const fresh = await buildTenancy(live());
    const theirs = clientOf(live(), fresh.key);
    const refused = async (of: Client) =>
      (await of.post(SCENARIOS, { regime: 'calm', samples: 100 })).body.code;
    expect(await refused(theirs)).to.equal('model_not_approved');
    expect((await theirs.get('/generative/models')).body.data).to.deep.equal([]);
    expect((await theirs.post(`/lqm/models/${model}/trainings`, {})).status).to.equal(404);
    const draft = await writeModel(live(), fresh, {
      lines: MONTHLY_RETURNS.slice(0, 200),
      factors: ['KO', 'XOM'],
      maxAgeDays: 60,
    });
    expect((await theirs.post(`/lqm/models/${draft.uid}/evaluations`, {})).body.code).to.equal(
      'no_checkpoint',
    );
    const short = await writeModel(live(), fresh, { lines: MONTHLY_RETURNS.slice(0, 60), factors: ['KO'] });
    const unfit = await theirs.post(`/lqm/models/${short.uid}/trainings`, {});
    expect([unfit.status, unfit.body.code, unfit.body.observed, unfit.body.needed]).to.deep.equal([
      422,
      'training_data_ineligible',
      59,
      120,
    ]);
    const approve = (...words: string[]) => assay(live(), 'lqm', 'approve', draft.uid, ...words, '--json');
    const { person: second } = await buildTenancy(live(), { workspace: fresh.workspace });
    expect((await approve('--as', second)).stderr).to.contain('model_not_evaluated');
    for (const step of ['trainings', 'evaluations']) {
      const { status, body } = await theirs.post(`/lqm/models/${draft.uid}/${step}`, {});
      expect(status, JSON.stringify(body)).to.equal(201);
    }
    expect((await approve('--as', fresh.person)).stderr).to.contain('approver_is_author');
    expect((await approve('--as', second)).json).to.include({ state: 'approved' });
    expect((await theirs.post(`/lqm/models/${draft.uid}/trainings`, {})).body.code).to.equal(
      'model_version_closed',
    );
    const stale = await theirs.post(SCENARIOS, { regime: 'calm', samples: 100 });
    expect([stale.body.code, stale.body.factors]).to.deep.equal(['context_stale', ['KO', 'XOM']]);
    const retired = await assay(
      live(),
      'lqm',
      'retire',
      draft.uid,
      '--reason',
      'too old',
      '--as',
      fresh.person,
      '--json',
    );
    expect(retired.json).to.include({ state: 'retired' });
    expect(await refused(theirs)).to.equal('model_not_approved');
  });
});
