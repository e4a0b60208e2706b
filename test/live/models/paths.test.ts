import { expect } from 'chai';
import { canonicalHash, checkSeal } from '#lib/core/seal.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { clientOf, type Client } from '../../support/client.ts';
import { onOneBackend } from '../../support/live.ts';
import { MONTHLY_RETURNS, serveModel } from '../../support/numeric-model.ts';

const PATHS = '/generative/paths';
/** The hashes of the same request on each backend. */
const seen = new Set<string>();

onOneBackend('POST /generative/paths', function (live) {
  let tenancy: Tenancy;
  let client: Client;
  before(async () => {
    tenancy = await buildTenancy(live());
    client = clientOf(live(), tenancy.key);
    await serveModel(live(), tenancy, { factors: ['KO', 'XOM'] });
  });

  it('201 draws and seals the same paths from the same seed', async () => {
    const request = { regime: 'stressed', horizon: 24, paths: 3_000, seed: 42 };
    const { status, body } = await client.post(PATHS, request);
    expect(status, JSON.stringify(body)).to.equal(201);
    expect(checkSeal(body)).to.include({ intact: true });
    const again = await client.post(PATHS, request);
    expect(again.body.uid).to.not.equal(body.uid);
    expect(again.body.result).to.deep.equal(body.result);
    const other = await client.post(PATHS, { ...request, seed: 43 });
    expect(other.body.result.hashes.samples_hash).to.not.equal(body.result.hashes.samples_hash);
    const { steps, final, maximum_drawdown, hashes } = body.result;
    expect(steps.map(({ month }: { month: number }) => month)).to.deep.equal(
      Array.from({ length: 24 }, (_, at) => at + 1),
    );
    expect(steps[0].regimes).to.deep.equal([
      { regime: 'calm', share: 0, expected: 0 },
      { regime: 'stressed', share: 1, expected: 1 },
    ]);
    expect(steps[23].equal_weight.mean).to.equal(final.mean);
    expect(maximum_drawdown.deepest).to.be.within(-1, maximum_drawdown.mean);
    expect(seen.add([hashes.samples_hash, hashes.regimes_hash, hashes.statistics_hash].join()).size).to.equal(
      1,
    );
    expect(hashes.model_hash).to.equal(body.input.checkpoint_hash);
    expect(hashes.feature_context_hash).to.equal(canonicalHash(body.input.context));
    const replayed = await assay(live(), 'replay', body.uid, '--json');
    expect(replayed.json, replayed.stderr).to.include({ identical: true });
    const { body: read } = await client.get(`/generative/runs/${body.uid}`);
    expect(read.result).to.deep.equal(body.result);
  });

  it('201 draws the same samples for a horizon of one month as the scenario endpoint without antithetic samples', async () => {
    const { status, body } = await client.post(PATHS, { regime: 'ergodic' });
    expect(status, JSON.stringify(body)).to.equal(201);
    expect(body.input).to.include({ horizon: 12, paths: 2_000 });
    const same = { regime: 'ergodic', seed: body.input.seed };
    const month = await client.post(PATHS, { ...same, horizon: 1, paths: 500 });
    const scenarios = await client.post('/generative/scenarios?antithetic=false', { ...same, samples: 500 });
    expect(scenarios.status, JSON.stringify(scenarios.body)).to.equal(201);
    expect(month.body.result.hashes.samples_hash).to.equal(scenarios.body.result.hashes.samples_hash);
    const { body: listed } = await client.get('/generative/runs?limit=2');
    expect(listed.data.map(({ uid }: { uid: string }) => uid)).to.deep.equal([
      scenarios.body.uid,
      month.body.uid,
    ]);
    const ofKind = async (kind: string) =>
      (await client.get(`/generative/runs?kind=${kind}`)).body.data.map(({ uid }: { uid: string }) => uid);
    expect(await ofKind('generative.scenarios')).to.deep.equal([scenarios.body.uid]);
    expect(await ofKind('generative.paths')).to.include.members([month.body.uid, body.uid]);
  });

  it('422 names invalid regimes, months and sizes', async () => {
    for (const [request, pointer, code] of [
      [{}, '/regime', 'required'],
      [{ regime: 'crisis' }, '/regime', 'unknown_regime'],
      [{ regime: 'calm', horizon: 0 }, '/horizon', 'minimum'],
      [{ regime: 'calm', horizon: 121 }, '/horizon', 'maximum'],
      [{ regime: 'calm', horizon: 1.5 }, '/horizon', 'type'],
      [{ regime: 'calm', paths: 99 }, '/paths', 'minimum'],
      [{ regime: 'calm', paths: 20_001 }, '/paths', 'maximum'],
      [{ regime: 'calm', seed: 2 ** 53 }, '/seed', 'maximum'],
      [{ regime: 'calm', stress: [] }, '/stress', 'unknown_field'],
    ] as const) {
      const { status, body } = await client.post(PATHS, request);
      expect([status, body.errors?.[0].pointer, body.errors?.[0].code], JSON.stringify(body)).to.deep.equal([
        422,
        pointer,
        code,
      ]);
    }
  });

  it('409 reports that no model is in use or that the known data is too old', async () => {
    const fresh = await buildTenancy(live());
    const theirs = clientOf(live(), fresh.key);
    const refused = async () => (await theirs.post(PATHS, { regime: 'calm' })).body.code;
    expect(await refused()).to.equal('model_not_approved');
    await serveModel(live(), fresh, {
      lines: MONTHLY_RETURNS.slice(0, 200),
      factors: ['KO', 'XOM'],
      maxAgeDays: 60,
    });
    expect(await refused()).to.equal('context_stale');
  });

  it('404 for a run of another workspace or of another kind', async () => {
    const { body } = await client.post(PATHS, { regime: 'calm', paths: 100 });
    const theirs = clientOf(live(), (await buildTenancy(live())).key);
    expect((await theirs.get(`/generative/runs/${body.uid}`)).status).to.equal(404);
    const { body: models } = await client.get('/generative/models');
    expect((await client.get(`/generative/runs/${models.data[0].training_uid}`)).status).to.equal(404);
  });
});
