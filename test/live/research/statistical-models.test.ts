import { expect } from 'chai';
import { statisticalModels } from '#lib/forecasting/statistical-models.ts';
import { buildTenancy } from '../../support/build.ts';
import { clientOf } from '../../support/client.ts';
import { onOneBackend } from '../../support/live.ts';

onOneBackend('GET /quant/statistical-models', (live) => {
  it('200 lists the forecasting methods with the version in use, filtered by family on request', async () => {
    const client = clientOf(live(), (await buildTenancy(live())).key);
    const { status, body } = await client.get('/quant/statistical-models');
    expect(status).to.equal(200);
    expect(body.data.map(({ key }: any) => key)).to.deep.equal(statisticalModels.map(({ key }) => key));
    const ets = body.data.find(({ key }: any) => key === 'ets');
    expect(ets).to.deep.include({
      family: 'smoothing',
      model: 'svc_forecast_combination_v4',
      version: '1.0.0',
      serves: ['/planning/forecasts'],
    });
    expect(ets.parameters.map(({ name }: any) => name)).to.include('alpha');
    const theta = (await client.get('/quant/statistical-models?family=theta')).body.data;
    expect(theta.length).to.be.within(1, body.data.length - 1);
    expect(new Set(theta.map(({ family }: any) => family))).to.deep.equal(new Set(['theta']));
  });
});
