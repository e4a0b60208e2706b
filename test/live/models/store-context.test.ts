import { expect } from 'chai';
import { addDays } from '#lib/core/date.ts';
import { buildTenancy } from '../../support/build.ts';
import { clientOf } from '../../support/client.ts';
import { createFeature, addFeatureValues } from '../../support/feature.ts';
import { onOneBackend } from '../../support/live.ts';
import { serveModel } from '../../support/numeric-model.ts';

const today = () => new Date().toISOString().slice(0, 10);
const reported = (entity: string, daysAgo: number, value: number, knownAt = addDays(today(), -daysAgo)) => ({
  entity,
  eventTime: `${addDays(today(), -daysAgo)}T00:00:00Z`,
  knownAt: `${knownAt}T00:00:00Z`,
  value,
});

onOneBackend('POST /generative/scenarios on a model of the feature store', function (live) {
  it('409 until the feature store has every factor at one recent time', async () => {
    const tenancy = await buildTenancy(live());
    const { key, versionId } = await createFeature(live(), tenancy, {
      unit: 'log_return',
      maxAgeDays: 45,
      values: [reported('KO', 60, 0.5)],
    });
    await serveModel(live(), tenancy, {
      factors: ['KO', 'XOM'],
      maxAgeDays: 45,
      options: ['--feature', key],
    });
    const client = clientOf(live(), tenancy.key);
    const draw = () => client.post('/generative/scenarios', { regime: 'stressed', samples: 100, seed: 1 });
    const steps = [
      [[], 'context_missing', ['XOM'], undefined],
      [[reported('XOM', 60, 0.4)], 'context_stale', ['KO', 'XOM'], 60],
      [[reported('KO', 5, 0.1), reported('XOM', 20, 0.3)], 'context_unsynchronised', ['XOM'], 15],
    ] as const;
    for (const [values, code, factors, observed] of steps) {
      await addFeatureValues(live(), versionId, values);
      const { status, body } = await draw();
      expect([status, body.code, body.factors, body.observed], JSON.stringify(body)).to.deep.equal([
        409,
        code,
        factors,
        observed,
      ]);
    }
    await addFeatureValues(live(), versionId, [
      reported('XOM', 5, 0.2),
      reported('KO', 1, 9, addDays(today(), 2)),
    ]);
    const { status, body } = await draw();
    expect(status, JSON.stringify(body)).to.equal(201);
    expect(body.input.context).to.deep.include({
      last_month: addDays(today(), -5),
      age_days: 5,
      factors: ['KO', 'XOM'],
      values: [0.1, 0.2],
    });
    expect(body.input.context.store).to.include({ feature: key, version: 1 });
    const again = await draw();
    expect(again.body.result.hashes).to.deep.equal(body.result.hashes);
    const [{ signature }] = (await client.get('/generative/models')).body.data;
    expect(signature.store).to.deep.equal({ feature: key, version: 1, tolerance_days: 7 });
  });
});
