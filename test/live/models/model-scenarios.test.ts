import { expect } from 'chai';
import { checkSeal } from '#lib/core/seal.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { clientOf, type Client } from '../../support/client.ts';
import { onOneBackend } from '../../support/live.ts';
import { serveModel, writeModel } from '../../support/numeric-model.ts';

const SCENARIOS = '/ml/scenarios';
const factors = ['KO', 'XOM'];

onOneBackend('POST /ml/scenarios', function (live) {
  let tenancy: Tenancy;
  let client: Client;
  let model: Awaited<ReturnType<typeof serveModel>>;
  before(async () => {
    tenancy = await buildTenancy(live());
    client = clientOf(live(), tenancy.key);
    model = await serveModel(live(), tenancy, { factors, key: 'own_regimes' });
  });

  const ask = (changed: object = {}) =>
    client.post(SCENARIOS, { model: 'own_regimes', regime: 'stressed', samples: 200, seed: 3, ...changed });

  it('201 draws and seals the same samples as the generative endpoint with the same model', async () => {
    const stress = [{ factor: 'XOM', shock: -15, unit: 'percent' }];
    const { status, body } = await ask({ stress });
    expect(status, JSON.stringify(body)).to.equal(201);
    expect(checkSeal(body)).to.include({ intact: true });
    expect(body.input).to.include({ model_key: 'own_regimes', model_uid: model.uid, version: 1 });
    const request = { regime: 'stressed', samples: 200, seed: 3, stress };
    const served = await client.post('/generative/scenarios', request);
    expect(served.body.result).to.deep.equal(body.result);
    const replayed = await assay(live(), 'replay', body.uid, '--json');
    expect(replayed.json, replayed.stderr).to.include({ identical: true });
  });

  it('200 reads and lists only its own kind of runs', async () => {
    const { body } = await ask({ version: 1 });
    expect((await client.get(`${SCENARIOS}/${body.uid}`)).body).to.deep.equal(body);
    const { body: layout } = await client.get(`${SCENARIOS}/${body.uid}/samples`);
    expect(layout).to.include({ rows: 200, months: 1, samples_hash: body.result.hashes.samples_hash });
    expect((await client.get(`${SCENARIOS}?model=own_regimes&limit=1`)).body.data[0].uid).to.equal(body.uid);
    expect((await client.get(`${SCENARIOS}?model=others`)).body.data).to.deep.equal([]);
    const { body: served } = await client.post('/generative/scenarios', { regime: 'calm', samples: 100 });
    expect((await client.get(`${SCENARIOS}/${served.uid}`)).status).to.equal(404);
    expect((await client.get(`/generative/runs/${body.uid}`)).status).to.equal(404);
  });

  it('rejects an unknown model or version with 404 and unknown factors or regimes with 422', async () => {
    expect((await ask({ model: 'unknown_regimes' })).status).to.equal(404);
    expect((await ask({ version: 9 })).status).to.equal(404);
    const theirs = clientOf(live(), (await buildTenancy(live())).key);
    const foreign = await theirs.post(SCENARIOS, { model: 'own_regimes', regime: 'calm' });
    expect(foreign.status).to.equal(404);
    for (const [changed, pointer, code] of [
      [{ model: 'Own Regimes' }, '/model', 'pattern'],
      [{ regime: 'crisis' }, '/regime', 'unknown_regime'],
      [{ stress: [{ factor: 'BAC', shock: 0.1 }] }, '/stress/0/factor', 'unknown_factor'],
      [{ version: 0 }, '/version', 'minimum'],
    ] as const) {
      const { status, body } = await ask(changed);
      expect([status, body.errors?.[0].pointer, body.errors?.[0].code], JSON.stringify(body)).to.deep.equal([
        422,
        pointer,
        code,
      ]);
    }
  });

  it('409 for a version that is not approved, was replaced by a newer version, or is retired', async () => {
    const refused = async (changed: object) => {
      const { status, body } = await ask({ model: 'versions', ...changed });
      return status === 201 ? body.input.version : body.code;
    };
    await writeModel(live(), tenancy, { factors, key: 'versions' });
    expect(await refused({})).to.equal('model_not_approved');
    expect(await refused({ version: 1 })).to.equal('model_not_approved');
    // The same key creates version 2, which is the first approved version.
    const { uid } = await serveModel(live(), tenancy, { factors, key: 'versions' });
    expect(await refused({})).to.equal(2);
    expect(await refused({ version: 1 })).to.equal('model_not_approved');
    await serveModel(live(), tenancy, { factors, key: 'versions' });
    expect([await refused({}), await refused({ version: 3 })]).to.deep.equal([3, 3]);
    expect(await refused({ version: 2 })).to.equal('model_superseded');
    const reason = ['--reason', 'too old', '--as', tenancy.person, '--json'];
    await assay(live(), 'lqm', 'retire', uid, ...reason);
    expect(await refused({ version: 3 })).to.equal('model_superseded');
    expect([await refused({}), await refused({ version: 2 })]).to.deep.equal([2, 2]);
  });
});
