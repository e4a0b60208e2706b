import { expect } from 'chai';
import type { RunKind } from '#lib/core/run.ts';
import { checkSeal } from '#lib/core/seal.ts';
import { predictionRunsRun } from '#lib/quant/models/prediction-runs.run.ts';
import { runs } from '#lib/runs.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { clientOf, type Client } from '../../support/client.ts';
import { onOneBackend } from '../../support/live.ts';
import { serveModel, writeModel } from '../../support/numeric-model.ts';
import { whileStopped } from '../../support/stopped.ts';

const MODELS = '/quant/models';
const SIMULATION = 'svc_simulation_v1';
const source = { kind: 'parametric', means: [0.005], covariance: [[0.0016]] };
const input = { source, horizon: 12, seed: 7, paths: 1_000 };

type Row = Record<string, any>;

onOneBackend('/quant/models', (live) => {
  let tenancy: Tenancy;
  let client: Client;
  let model: { uid: string; key: string };
  let draft: { uid: string; key: string };

  before(async () => {
    tenancy = await buildTenancy(live());
    client = clientOf(live(), tenancy.key);
    model = await serveModel(live(), tenancy, { factors: ['KO', 'XOM'] });
    draft = await writeModel(live(), tenancy, { key: SIMULATION });
  });

  const run = async (key: string, body: object, headers = {}) => {
    const answer = await client.post(`${MODELS}/${key}/run`, body, headers);
    return { status: answer.status, headers: answer.headers, body: answer.body as Row };
  };
  const listed = async (query = ''): Promise<Row[]> =>
    (await client.get(`${MODELS}?limit=200${query}`)).body.data;
  const faults = (body: Row) => body['errors'].map(({ pointer, code }: Row) => [pointer, code]);

  it('200 lists the models of the workspace and a model for every kind of run', async () => {
    const rows = await listed();
    expect(rows.slice(0, 2).map(({ key }) => key)).to.deep.equal([draft.uid, model.key]);
    expect(rows.slice(0, 2).map(({ state }) => state)).to.deep.equal(['candidate', 'active']);
    const computed = rows.map((row) => row['output'].kind);
    // Kinds that only the scheduler submits are left out, and so are predictions, because the workspace has no model
    // that predicts (see `prediction-runs.test.ts`).
    const kinds = Object.values<RunKind>(runs).filter(({ isScheduled }) => !isScheduled);
    for (const { key: kind } of kinds)
      if (kind !== predictionRunsRun.key) expect(computed, kind).to.include(kind);
    const simulation = rows.find(({ key }) => key === SIMULATION)!;
    expect(simulation).to.deep.include({
      kind: 'analytic',
      family: 'quant',
      serving_version: '1.0.0',
      state: 'active',
      runs_at: '/api/v2/quant/compute/simulations',
      scope: 'quant:compute:run',
      bit_reproducible: true,
      last_evaluation: null,
    });
    expect(simulation['input_schema'].required).to.include('source');
    expect(rows[1]).to.deep.include({ kind: 'generative', family: 'regime_ghmm', serving_version: '1' });
    expect(rows[1]!['last_evaluation']).to.include({ version: '1', passed: true });
  });

  it('200 filters by kind, family, state and a day on which a version was the serving version', async () => {
    const keys = async (query: string) => (await listed(query)).map(({ key }) => key as string);
    expect(await keys('&kind=generative')).to.deep.equal([draft.uid, model.key]);
    expect(await keys('&kind=generative&state=active')).to.deep.equal([model.key]);
    expect(await keys('&state=candidate')).to.deep.equal([draft.uid]);
    expect(await keys('&family=trust')).to.deep.equal(['svc_evidence_pack_v1']);
    expect(await keys('&family=none')).to.deep.equal([]);
    expect(await keys('&served_on=2020-01-01')).to.deep.equal([]);
    const today = new Date().toISOString().slice(0, 10);
    expect(await keys(`&served_on=${today}`)).to.include.members([model.key, SIMULATION]);
    expect(await keys(`&served_on=${today}`)).to.not.include(draft.uid);
  });

  it('200 returns every model once for any page size', async () => {
    const whole = (await listed()).map(({ key }) => key);
    const seen: string[] = [];
    let next: string | null = null;
    do {
      const { body } = await client.get(`${MODELS}?limit=7${next ? `&cursor=${next}` : ''}`);
      seen.push(...body.data.map(({ key }: Row) => key));
      next = body.page.next_cursor;
    } while (next);
    expect(seen).to.deep.equal(whole);
  });

  it('200 shows schemas, versions with their approvers, and the history of the alias', async () => {
    const { body } = await client.get(`${MODELS}/${model.key}`);
    expect(body.schemas.input.properties).to.have.property('regime');
    expect(body.schemas.input.properties).to.not.have.any.keys('model', 'version');
    expect(body.versions).to.have.length(1);
    expect(body.versions[0]).to.include({ version: '1', state: 'approved', serves: true });
    expect(body.versions[0].approved_by).to.match(/^per_/).and.not.equal(body.versions[0].author);
    expect(body.alias_history[0]).to.include({ version: '1', chosen_by: 'workspace', until: null });
    expect(body.card).to.include({ uid: model.uid, serves: true });
    expect((await client.get(`${MODELS}/${model.uid}`)).body).to.deep.equal(body);
    const built = (await client.get(`${MODELS}/${SIMULATION}`)).body;
    expect(built).to.deep.include({ kind: 'analytic', card: null, drift: null });
    expect(built.versions[0]).to.include({ version: '1.0.0', approved_by: 'assay:model-risk', serves: true });
    expect(built.refusals).to.include('model_not_approved');
  });

  it('404 for an unknown model and a model of another workspace or environment', async () => {
    const others = [
      await buildTenancy(live()),
      await buildTenancy(live(), { workspace: tenancy.workspace, environment: 'production' }),
    ];
    for (const { key } of others) {
      const stranger = clientOf(live(), key);
      for (const named of [model.key, model.uid, 'nothing', 'svc_nothing_v1', '%00', '__proto__']) {
        expect((await stranger.get(`${MODELS}/${named}`)).body.code, named).to.equal('not_found');
        const answer = await stranger.post(`${MODELS}/${named}/run`, { input: {} });
        expect(answer.body.code, named).to.equal('not_found');
      }
    }
  });

  it('201 creates the same run of an analytic model as the operation of that model does', async () => {
    const { status, body, headers } = await run(SIMULATION, { version: '1.0.0', input });
    expect(status, JSON.stringify(body)).to.equal(201);
    expect(headers.get('location')).to.equal(`/api/v2/quant/compute/simulations/${body['uid']}`);
    expect(checkSeal(body)).to.include({ intact: true });
    expect((await client.get(`/quant/compute/simulations/${body['uid']}`)).body).to.deep.equal(body);
    const direct = await client.post('/quant/compute/simulations', input);
    expect(direct.body.result_hash).to.equal(body['result_hash']);
    expect((await client.get(`${MODELS}/${SIMULATION}`)).body.sealed_runs).to.equal(2);
    const replay = await assay(live(), 'replay', body['uid'], '--json');
    expect(replay.json, replay.stderr).to.include({ replayed: true, identical: true });
  });

  it('201 creates scenarios of a generative model, as the operation of that model does', async () => {
    const scenario = { regime: 'current', samples: 500, seed: 3 };
    const { status, body, headers } = await run(model.key, { version: 1, input: scenario });
    expect(status, JSON.stringify(body)).to.equal(201);
    expect(headers.get('location')).to.equal(`/api/v2/ml/scenarios/${body['uid']}`);
    expect(body['input']).to.include({ model_key: model.key, samples: 500 });
    const direct = await client.post('/ml/scenarios', { model: model.key, ...scenario });
    expect(direct.body.result_hash).to.equal(body['result_hash']);
    expect((await client.get(`${MODELS}/${model.key}`)).body.sealed_runs).to.equal(2);
  });

  it('returns the same run for a retry with the same key, and 202 without waiting', async () => {
    const headers = { 'idempotency-key': 'simulate-once', prefer: 'respond-async' };
    const first = await whileStopped(live(), ['worker-numerics-1'], () =>
      run(SIMULATION, { input }, headers),
    );
    expect([first.status, first.headers.get('preference-applied')]).to.deep.equal([202, 'respond-async']);
    const again = await run(SIMULATION, { input }, { 'idempotency-key': 'simulate-once' });
    expect([again.status, again.body['uid']]).to.deep.equal([201, first.body['uid']]);
    expect(again.headers.get('idempotent-replayed')).to.equal('true');
    const other = await run(SIMULATION, { input: { ...input, seed: 8 } }, headers);
    expect(other.body['code']).to.equal('idempotency_key_reused');
  });

  it('422 reports under /input the same faults of the input as the operation of the run', async () => {
    const wrong = await run(SIMULATION, { input: { source, horizon: 0, surplus: 1 } });
    expect(wrong.status).to.equal(422);
    expect(faults(wrong.body)).to.deep.include.members([
      ['/input/horizon', 'minimum'],
      ['/input/surplus', 'unknown_field'],
    ]);
    for (const text of ['NaN', 'Infinity', '1e999']) {
      const answer = await run(SIMULATION, { input: { ...input, horizon: text } });
      expect(faults(answer.body), text).to.deep.equal([['/input/horizon', 'type']]);
    }
    const late = await run(model.key, { input: { regime: 'crisis' } });
    expect(faults(late.body)).to.deep.equal([['/input/regime', 'unknown_regime']]);
    const named = await run(model.key, { input: { regime: 'calm', model: 'other', version: 1 } });
    expect(faults(named.body)).to.deep.equal([
      ['/input/model', 'unknown_field'],
      ['/input/version', 'unknown_field'],
    ]);
    const forecast = await run('svc_forecast_combination_v4', { input: { metric: 'none', horizon: 3 } });
    expect(forecast.body['code']).to.equal('unknown_metric');
    expect(forecast.body['errors'][0]).to.include({ pointer: '/input/metric', in: 'body' });
    const margin = await run('svc_collateral_margin_v1', { input: {} });
    expect(faults(margin.body).map(([pointer]: string[]) => pointer)).to.include('/input/netting_set_uid');
  });

  it('403 names the scope of the operation that the credential lacks', async () => {
    const { key } = await buildTenancy(live(), {
      workspace: tenancy.workspace,
      scopes: ['quant:models:run', 'quant:models:read'],
    });
    const limited = clientOf(live(), key);
    const analytic = await limited.post(`${MODELS}/${SIMULATION}/run`, { input });
    expect([analytic.status, analytic.body.code]).to.deep.equal([403, 'insufficient_scope']);
    expect(analytic.body.required_scope).to.equal('quant:compute:run');
    const generative = await limited.post(`${MODELS}/${model.key}/run`, { input: { regime: 'calm' } });
    expect(generative.body.required_scope).to.equal('ml:inference');
    const computing = await buildTenancy(live(), {
      workspace: tenancy.workspace,
      scopes: ['quant:models:run', 'quant:compute:run'],
    });
    const answer = await clientOf(live(), computing.key).post(`${MODELS}/${SIMULATION}/run`, {
      input: { ...input, portfolio: 'ALPHA' },
    });
    expect([answer.status, answer.body.required_scope]).to.deep.equal([403, 'investment:read']);
  });

  it('409 for a model without an approved version, 404 for an unknown version or a version of another model', async () => {
    const unknown = await run(SIMULATION, { version: '9.9.9', input });
    expect([unknown.status, unknown.body['code']]).to.deep.equal([404, 'not_found']);
    expect((await run(model.key, { version: '7', input: { regime: 'calm' } })).body['code']).to.equal(
      'not_found',
    );
    expect((await run(model.key, { version: '1.0.0', input: { regime: 'calm' } })).body['code']).to.equal(
      'not_found',
    );
    const candidate = await run(draft.uid, { input: { regime: 'calm' } });
    expect([candidate.status, candidate.body['code']]).to.deep.equal([409, 'model_not_approved']);
  });

  it('409 for a model that the workspace suspended', async () => {
    const { workspace, person, key } = await buildTenancy(live());
    const client = clientOf(live(), key);
    const words = ['--workspace', workspace, '--as', person, '--json'];
    expect((await assay(live(), 'model', 'deactivate', SIMULATION, ...words)).status).to.equal(0);
    const row = (await client.get(`${MODELS}/${SIMULATION}`)).body;
    expect(row).to.include({ state: 'suspended', serving_version: null });
    expect(row.alias_history[0]).to.include({ version: null, chosen_by: 'workspace', set_by: person });
    for (const body of [{ input }, { version: '1.0.0', input }]) {
      const answer = await client.post(`${MODELS}/${SIMULATION}/run`, body);
      expect([answer.status, answer.body.code]).to.deep.equal([409, 'model_not_approved']);
    }
    const { body } = await client.get(`${MODELS}?state=suspended`);
    expect(body.data.map((each: Row) => each['key'])).to.deep.equal([SIMULATION]);
  });

  it('200 lists the runs of all models with the paths of their results', async () => {
    const runs = async (query: string): Promise<Row[]> =>
      (await client.get(`/quant/model-runs${query}`)).body.data;
    const generative = await runs('?kind=generative&limit=1');
    expect(generative[0]).to.deep.include({
      kind: 'generative',
      model: model.key,
      registered_model: { key: 'svc_scenarios_v1', version: '1.0.0' },
      state: 'succeeded',
      href: `/api/v2/ml/scenarios/${generative[0]!['uid']}`,
    });
    const simulated = await runs(`?model=${SIMULATION}`);
    expect(simulated.map(({ model }) => model)).to.deep.equal(simulated.map(() => SIMULATION));
    expect((await client.get(simulated[0]!['href'].slice(7))).body.result_hash).to.equal(
      simulated[0]!['result_hash'],
    );
    const all = (await runs('?limit=200')).map(({ uid }) => uid);
    expect(all).to.include.members([...simulated, ...generative].map(({ uid }) => uid));
    const byUid = await runs(`?model=${model.uid}`);
    expect(byUid).to.deep.equal(await runs(`?model=${model.key}&kind=generative&state=succeeded`));
    expect(await runs('?model=nothing')).to.deep.equal([]);
    expect(await runs(`?model=${SIMULATION}&kind=generative`)).to.deep.equal([]);
    expect(await runs('?to=2020-01-01')).to.deep.equal([]);
  });
});
