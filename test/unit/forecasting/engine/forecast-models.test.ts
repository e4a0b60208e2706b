import { expect } from 'chai';
import { canonicalHash } from '#lib/core/seal.ts';
import { FORECAST_MODEL, forecastModelOf, forecastModels } from '#lib/forecasting/engine/forecast-models.ts';
import { forecastSeries } from '#lib/forecasting/engine/forecast-series.ts';
import { ascending, meanWidth } from '#lib/forecasting/engine/intervals.ts';
import { normalQuantile } from '#lib/numerics/normal-quantile.ts';
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

  // The hashes of the results before version 3 was added.
  const ofVersion2 = {
    yearly: '6bbaa2db0b861ee59eff1d037e9680f6f382850de971da60fc6106a3f16e0f53',
    quarterly: '823b6915c16dd4a031a2107a38d0fc6773c8cca28d7f21f2e8500f5fe4912ab4',
    monthly: '05e5015e8ece77630ec45451eb0c9592ca2caacb87b830c135a6e75dfac605a5',
    weekly: 'cc87580c47a2d96422b0e278414a9f39ca6b4b459081fce371f2c9cf456ffb4e',
    daily: 'b7342daaa41d0ccdb4956cde54e4792b20fa8a65a433a4e68c3e52627de9a80e',
  } as const;
  for (const [frequency, hash] of Object.entries(ofVersion2)) {
    it(`give the same bits for a ${frequency} series of version 2 as before version 3`, () => {
      expect(canonicalHash(resultOf(frequency as Frequency, 'svc_forecast_combination_v2'))).to.equal(hash);
    });
  }

  // The hashes of the results before version 4 was added.
  const ofVersion3 = {
    yearly: 'f2ca6fb4a702ad1d9c19d548d103d35e0fe100a68d8e5fd0b172b194ff76c064',
    quarterly: '7025d467c0923bed6fcf13cb1920d9ad322f5f2ca17443afc37d91e6e7313555',
    monthly: 'fe9e22a95b9f6871d55ae4e4d6b61a11d56e893c5d32fba8a51cb86429470ebb',
    weekly: '47de821b5bb1660f06027208f0c8acec3e785ea5cc6dc7ede5db4a8432580540',
    daily: 'ec7c0c410a0f10621dfbdc3236dd9489e48ae6b1b3dad1c4351a84ee60bebfa7',
  } as const;
  for (const [frequency, hash] of Object.entries(ofVersion3)) {
    it(`give the same bits for a ${frequency} series of version 3 as before version 4`, () => {
      expect(canonicalHash(resultOf(frequency as Frequency, 'svc_forecast_combination_v3'))).to.equal(hash);
    });
  }

  it('have asymmetric intervals in version 4 if the frequency has training series', () => {
    for (const frequency of ['yearly', 'quarterly', 'monthly', 'weekly', 'daily'] as const) {
      const [third, fourth] = [resultOf(frequency, 'svc_forecast_combination_v3'), resultOf(frequency)];
      const isSymmetric = frequency === 'weekly' || frequency === 'daily';
      const { lower_widening: lower, factors } = fourth.interval_basis;
      expect(lower === undefined, frequency).to.equal(isSymmetric);
      expect(factors[0]!.lower_factor === undefined, frequency).to.equal(isSymmetric);
      if (isSymmetric) expect(fourth.intervals).to.deep.equal(third.intervals);
    }
  });

  it('have bounds in version 4 that follow from the reported factors and widenings', () => {
    const { points, intervals, interval_basis: basis, methods } = resultOf('yearly');
    const errors = methods
      .filter(({ method }) => basis.methods.includes(method))
      .map(({ standard_errors }) => Float64Array.from(standard_errors!));
    const mean = meanWidth(errors, points.length);
    intervals.forEach(({ level, lower, upper }, at) => {
      const z = normalQuantile(0.5 + level / 200);
      const side = (widening: readonly number[], factor: number) =>
        [...ascending(mean.map((each, step) => each * widening[step]!))].map((width) => z * factor * width);
      const below = side(basis.lower_widening!, basis.factors[at]!.lower_factor!);
      const above = side(basis.widening!, basis.factors[at]!.factor);
      points.forEach((point, step) => {
        expect(lower[step]).to.be.closeTo(point - below[step]!, 1e-9 * point);
        expect(upper[step]).to.be.closeTo(point + above[step]!, 1e-9 * point);
      });
    });
  });

  it('have the networks from version 2 on', () => {
    const priorOf = (model: (typeof forecastModels)[number]) =>
      resultOf('monthly', model).methods.find(({ method }) => method === 'pooled_network')?.prior;
    expect(priorOf('svc_forecast_combination_v2')).to.be.above(0);
    expect(priorOf('svc_forecast_combination_v3')).to.be.above(0);
    expect(priorOf('svc_forecast_combination_v1')).to.equal(undefined);
    expect(resultOf('monthly').model).to.equal(FORECAST_MODEL);
  });

  it('run decompositions without a weight in version 3 only if they are requested', () => {
    const methodsOf = (options: object) => {
      const outcome = forecastSeries(
        { frequency: 'monthly', values: passengers },
        { horizon: 6, ...options },
      );
      if (!outcome.ok) throw new Error(`refused: ${JSON.stringify(outcome.refusal)}`);
      return outcome.result.methods.map(({ method }) => method);
    };
    expect(methodsOf({ model: 'svc_forecast_combination_v2' })).to.include('mstl_arima');
    expect(methodsOf({})).to.include('mstl_ets').and.not.to.include('mstl_arima');
    expect(methodsOf({ method: 'mstl_arima' }))
      .to.include('mstl_arima')
      .and.not.to.include('mstl_theta');
  });

  it('reject an unknown key', () => {
    expect(forecastModelOf('svc_forecast_combination_v1')).to.equal('svc_forecast_combination_v1');
    expect(() => forecastModelOf('svc_forecast_combination_v0')).to.throw(RangeError);
  });
});
