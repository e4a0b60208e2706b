import { expect } from 'chai';
import { sha256 } from '#lib/core/seal.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { clientOf, type Client } from '../../support/client.ts';
import { onOneBackend } from '../../support/live.ts';
import { FACTORS, MONTHLY_RETURNS, serveModel } from '../../support/numeric-model.ts';

const SCENARIOS = '/generative/scenarios';
const USED = ['KO', 'XOM'];
/** The monthly returns that the model is trained on. */
const months = MONTHLY_RETURNS.slice(1).map((line) => {
  const cells = line.split(',').slice(1);
  return USED.map((factor) => Number(cells[FACTORS.indexOf(factor)]));
});

onOneBackend('a scenario run with a given engine', function (live) {
  let tenancy: Tenancy;
  let client: Client;
  before(async () => {
    tenancy = await buildTenancy(live());
    client = clientOf(live(), tenancy.key);
    await serveModel(live(), tenancy, { factors: USED });
  });

  const download = (uid: string, key = tenancy.key) =>
    fetch(`${live().url}/api/v2/generative/runs/${uid}/samples`, {
      headers: { authorization: `Bearer ${key}` },
    });

  async function samplesOf(uid: string): Promise<Float64Array> {
    const response = await download(uid);
    expect(response.status).to.equal(200);
    expect(response.headers.get('content-type')).to.equal('application/octet-stream');
    return new Float64Array(await response.arrayBuffer());
  }

  it('201 draws whole months of the training data with filtered_historical', async () => {
    const request = { regime: 'stressed', samples: 2_000, seed: 7 };
    const { status, body } = await client.post(`${SCENARIOS}?engine=filtered_historical`, request);
    expect(status, JSON.stringify(body)).to.equal(201);
    expect(body.input).to.deep.include({
      engine: 'filtered_historical',
      degrees_of_freedom: null,
      antithetic: false,
    });
    const again = await client.post(`${SCENARIOS}?engine=filtered_historical`, request);
    expect(again.body.result).to.deep.equal(body.result);
    const known = new Set(months.map((row) => row.join()));
    const samples = await samplesOf(body.uid);
    expect(samples).to.have.length(4_000);
    for (let at = 0; at < samples.length; at += 2)
      expect(known.has([samples[at], samples[at + 1]].join()), String(at)).to.equal(true);
    const calm = await client.post(`${SCENARIOS}?engine=filtered_historical`, { ...request, regime: 'calm' });
    expect(calm.body.result.equal_weight.standard_deviation).to.be.below(
      body.result.equal_weight.standard_deviation,
    );
    const replayed = await assay(live(), 'replay', body.uid, '--json');
    expect(replayed.json, replayed.stderr).to.include({ identical: true });
  });

  it('201 stays within the range of the training data with t_copula_empirical', async () => {
    for (const degrees of [4, 7]) {
      const path = `${SCENARIOS}?engine=t_copula_empirical&degrees_of_freedom=${degrees}`;
      const request = { regime: 'ergodic', samples: 5_000, seed: 7 };
      const { status, body } = await client.post(path, request);
      expect(status, JSON.stringify(body)).to.equal(201);
      expect(body.result.closed_form).to.equal(null);
      for (const [place, { statistics }] of body.result.factors.entries()) {
        const column = months.map((row) => row[place]!);
        expect(statistics.minimum).to.be.at.least(Math.min(...column));
        expect(statistics.maximum).to.be.at.most(Math.max(...column));
      }
      expect(body.result.correlation[0][1]).to.be.within(0.1, 0.9);
      const again = await client.post(path, request);
      expect(again.body.result.hashes).to.deep.equal(body.result.hashes);
      const replayed = await assay(live(), 'replay', body.uid, '--json');
      expect(replayed.json, replayed.stderr).to.include({ identical: true });
    }
  });

  it('422 rejects options that the requested engine does not support', async () => {
    const stress = [{ factor: 'KO', shock: -0.1 }];
    for (const [query, request, pointer, code] of [
      ['engine=filtered_historical', { stress }, '/stress', 'engine_without_stress'],
      ['engine=t_copula_empirical', { stress }, '/stress', 'engine_without_stress'],
      ['engine=filtered_historical&antithetic=true', {}, '/antithetic', 'engine_without_mirror'],
      ['engine=historical', {}, '/engine', 'enum'],
      ['engine=t_copula_empirical&degrees_of_freedom=3', {}, '/degrees_of_freedom', 'minimum'],
    ] as const) {
      const { status, body } = await client.post(`${SCENARIOS}?${query}`, { regime: 'calm', ...request });
      expect([status, body.errors?.[0].pointer, body.errors?.[0].code], JSON.stringify(body)).to.deep.equal([
        422,
        pointer,
        code,
      ]);
    }
    const allowed = await client.post(`${SCENARIOS}?engine=filtered_historical`, {
      regime: 'calm',
      samples: 100,
      stress: [],
    });
    expect(allowed.status, JSON.stringify(allowed.body)).to.equal(201);
  });

  it('200 returns the samples as the sealed bytes, with headers that describe their layout', async () => {
    const scenarios = await client.post(SCENARIOS, { regime: 'current', samples: 500, seed: 1 });
    const paths = await client.post('/generative/paths', { regime: 'calm', paths: 200, horizon: 6, seed: 1 });
    for (const [{ body }, rows, length] of [
      [scenarios, 500, 1],
      [paths, 200, 6],
    ] as const) {
      const samples = await samplesOf(body.uid);
      const { samples_hash } = body.result.hashes;
      expect(sha256(new Uint8Array(samples.buffer))).to.equal(samples_hash);
      const layout = await client.get(`/generative/runs/${body.uid}/samples`);
      expect(layout.body).to.deep.equal({
        rows,
        months: length,
        factors: USED,
        bytes: samples.byteLength,
        samples_hash,
      });
      expect(samples.length).to.equal(rows * length * USED.length);
    }
    // The samples have 16.8 MB, which exceeds the limit of stored samples.
    const many = await client.post('/generative/paths', { regime: 'calm', paths: 17_500, horizon: 60 });
    expect(many.status, JSON.stringify(many.body)).to.equal(201);
    expect((await download(many.body.uid)).status).to.equal(404);
  });

  it('404 for the samples of a run of another workspace or of another kind', async () => {
    const { body } = await client.post(SCENARIOS, { regime: 'calm', samples: 100 });
    expect((await download(body.uid, (await buildTenancy(live())).key)).status).to.equal(404);
    const { body: models } = await client.get('/generative/models');
    expect((await download(models.data[0].training_uid)).status).to.equal(404);
    expect((await download('scn_nothing')).status).to.equal(404);
  });
});
