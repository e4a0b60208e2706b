import { expect } from 'chai';
import { seedFeatures } from '#lib/sample/features.ts';
import { seedProject } from '#lib/sample/project.ts';
import { featureMaterialisation } from '#workers/research/feature-materialisation.ts';
import { buildTenancy } from '../../support/build.ts';
import { clientOf } from '../../support/client.ts';
import { importCsv } from '../../support/import.ts';
import { handsOf } from '../../support/governed.ts';
import { onOneBackend } from '../../support/live.ts';

const MONTH_ENDS = Array.from({ length: 20 }, (_, at) =>
  new Date(Date.UTC(2019, at + 1, 0)).toISOString().slice(0, 10),
);

onOneBackend('The research project of the sample workspace', function (live) {
  it('is created once and can be used for snapshots and experiments after materialisation', async () => {
    const { workspace, key } = await buildTenancy(live());
    const { dataset } = await importCsv(live(), workspace, 'prices', [
      'symbol,date,close',
      ...Array.from({ length: 12 }, (_, symbol) =>
        MONTH_ENDS.map(
          (day, month) => `S${symbol},${day},${100 + month * symbol + ((month * 7 + symbol * 5) % 9)}`,
        ),
      ).flat(),
    ]);
    for (let turn = 0; turn < 2; turn += 1) {
      const hands = handsOf(live().orm('operator'));
      await seedFeatures(hands, workspace, dataset.uid);
      await seedProject(hands, workspace);
    }
    const client = clientOf(live(), key);
    const projects = (await client.get('/quant/projects')).body.data;
    expect(projects.map(({ name }: { name: string }) => name)).to.deep.equal(['Momentum']);
    const [{ id: project_id }] = projects;
    await featureMaterialisation(live().orm('worker'));
    const snapshots: string[] = [];
    for (const as_of_date of ['2020-03-31', '2020-04-30', '2020-05-31']) {
      const { status, body } = await client.post('/quant/research/snapshots', { project_id, as_of_date });
      expect(status, JSON.stringify(body)).to.equal(201);
      expect(body.result.coverage).to.deep.equal({ observed: 24, never_observed: 0, stale: 0 });
      snapshots.push(body.uid);
    }
    const { status, body } = await client.post('/quant/research/runs', { snapshots, quantiles: 3 });
    expect(status, JSON.stringify(body)).to.equal(201);
    const [momentum] = body.result.features;
    expect(momentum.horizons.map((each: { horizon_months: number }) => each.horizon_months)).to.deep.equal([
      1, 3,
    ]);
    expect(momentum.horizons[0].spearman).to.include({ dates: 3 });
    expect(momentum.horizons[0].spearman.p_value).to.be.within(0, 1);
  });
});
