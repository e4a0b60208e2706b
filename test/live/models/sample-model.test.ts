import { expect } from 'chai';
import { withRunner } from '#api/process/run-here.ts';
import { seedModel } from '#lib/sample/model.ts';
import { buildTenancy } from '../../support/build.ts';
import { clientOf } from '../../support/client.ts';
import { handsOf } from '../../support/governed.ts';
import { onOneBackend } from '../../support/live.ts';

onOneBackend('The regime model of the sample workspace', function (live) {
  it('is created once, approved by a person other than its author and usable for scenarios', async () => {
    const { workspace, environment, application, key } = await buildTenancy(live());
    for (let turn = 0; turn < 2; turn += 1) {
      const sample = { workspace, environment, application };
      await seedModel(handsOf(live().orm('operator')), sample, (work) => withRunner(live().ownerUrl, work));
    }
    const client = clientOf(live(), key);
    const [model, ...more] = (await client.get('/generative/models')).body.data;
    expect(more).to.deep.equal([]);
    expect(model).to.include({ state: 'approved', serves: true, evaluation_passed: true, version: 1 });
    expect(model.approved_by_uid).to.not.equal(model.author_uid);
    expect((await client.get('/lqm/trainings')).body.data).to.have.length(1);
    const { status, body } = await client.post('/generative/scenarios', { regime: 'stressed', samples: 100 });
    expect(status, JSON.stringify(body)).to.equal(201);
    expect(body.input.context).to.include({ last_month: '2022-12-31' });
  });
});
