import { expect } from 'chai';
import { canonicalHash } from '#lib/core/seal.ts';
import { FORECAST_MODEL, forecastModelOf, forecastModels } from '#lib/forecasting/engine/forecast-models.ts';
import { forecastSeries } from '#lib/forecasting/engine/forecast-series.ts';
import type { Frequency } from '#lib/forecasting/engine/forecast-series.types.ts';

// Monthly international airline passengers in thousands, 1949 to 1951 (Box and Jenkins, series G).
const passengers = [
  112, 118, 132, 129, 121, 135, 148, 148, 136, 119, 104, 118, 115, 126, 141, 135, 125, 149, 170, 170, 158,
  133, 114, 140, 145, 150, 178, 163, 172, 178, 199, 199, 184, 162, 146, 166,
];

function resultOf(frequency: Frequency, model = FORECAST_MODEL as (typeof forecastModels)[number]) {
  const outcome = forecastSeries({ frequency, values: passengers }, { horizon: 6, model });
  if (!outcome.ok) throw new Error(`refused: ${JSON.stringify(outcome.refusal)}`);
  return outcome.result;
}

describe('the versions of the forecast model', () => {
  // Result hashes from the release that had only version 1.
  const ofVersion1 = {
    yearly: '0369f2323829bb96a7372d8c430ca38be6a55768645f3bf67a38dc0394f032d1',
    quarterly: 'b1388552b07b2f367b0822712292555c08294b7e9aea09ea4089b140e5c80a71',
    monthly: '0291b1362c570ed4870dae88c5a9f721d1bf372ae5587cb586f36418500b9857',
    weekly: '315a7e5e7a8b9191e1da75d35dd93e62ebcab14d040c13f17e1eb269356496ec',
    daily: '6f61ac92e8b6afcf67ffa2c4ab9eb814536148807aa64614904469e008a64a79',
  } as const;
  for (const [frequency, hash] of Object.entries(ofVersion1)) {
    it(`give the same bits for a ${frequency} series with version 1 as before version 2 existed`, () => {
      expect(canonicalHash(resultOf(frequency as Frequency, 'svc_forecast_combination_v1'))).to.equal(hash);
    });
  }

  it('use the networks only in version 2', () => {
    const priorOf = (model: (typeof forecastModels)[number]) =>
      resultOf('monthly', model).methods.find(({ method }) => method === 'pooled_network')?.prior;
    expect(priorOf('svc_forecast_combination_v2')).to.be.above(0);
    expect(priorOf('svc_forecast_combination_v1')).to.equal(undefined);
    expect(resultOf('monthly').model).to.equal(FORECAST_MODEL);
  });

  it('reject an unknown key', () => {
    expect(forecastModelOf('svc_forecast_combination_v1')).to.equal('svc_forecast_combination_v1');
    expect(() => forecastModelOf('svc_forecast_combination_v0')).to.throw(RangeError);
  });
});
