import { expect } from 'chai';
import fc from 'fast-check';
import { featureWeights, type WeightModel } from '#lib/forecasting/engine/feature-weights.ts';
import { frequencies } from '#lib/forecasting/engine/forecast-series.types.ts';
import { learnedOf } from '#lib/forecasting/engine/learned-constants.ts';
import ofVersion1 from '#lib/forecasting/engine/learned-constants-v1.json' with { type: 'json' };
import ofVersion2 from '#lib/forecasting/engine/learned-constants-v2.json' with { type: 'json' };
import ofVersion3 from '#lib/forecasting/engine/learned-constants-v3.json' with { type: 'json' };
import ofVersion4 from '#lib/forecasting/engine/learned-constants-v4.json' with { type: 'json' };
import { FORECAST_MODEL, forecastModels } from '#lib/forecasting/engine/forecast-models.ts';
import { methodPoolOf } from '#lib/forecasting/engine/method-pool.ts';
import { priorsOf } from '#lib/forecasting/engine/priors.ts';
import { featureNames, seriesFeatures } from '#lib/forecasting/engine/series-features.ts';

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const model: WeightModel = {
  methods: ['plain', 'steep'],
  center: [1],
  spread: [2],
  intercepts: [0, Math.log(3)],
  slopes: [[0, Math.log(2)]],
};

describe('method weights from features', () => {
  it('are the softmax of intercept plus slopes times standardised features', () => {
    expect(featureWeights(model, [1])['steep']).to.be.closeTo(0.75, 1e-15);
    expect(featureWeights(model, [3])['steep']).to.be.closeTo(6 / 7, 1e-15);
  });

  it('do not change if a feature is more than three standard deviations from its mean', () => {
    expect(featureWeights(model, [1e9])).to.deep.equal(featureWeights(model, [7]));
    expect(featureWeights(model, [-1e9])).to.deep.equal(featureWeights(model, [-5]));
  });

  it('refer only to known features and methods, and have mean weights that sum to 1', () => {
    expect(ofVersion1.features).to.deep.equal([...featureNames]);
    expect(ofVersion2.features).to.deep.equal([...featureNames]);
    expect(ofVersion3.features).to.deep.equal([...featureNames]);
    expect(ofVersion4.features).to.deep.equal([...featureNames]);
    for (const [model, frequency, observations] of forecastModels.flatMap((each) =>
      frequencies.flatMap((frequency) =>
        [8, 71, 72, 2_000].map((count) => [each, frequency, count] as const),
      ),
    )) {
      const keys = methodPoolOf(model).map(({ key }) => key);
      const { weights, shares } = learnedOf({ frequency, observations }, model);
      expect(keys).to.include.members(Object.keys(shares));
      expect(sum(Object.values(shares))).to.be.closeTo(1, 1e-2);
      if (!weights) continue;
      expect(weights.methods).to.deep.equal(Object.keys(shares));
      expect(weights.slopes).to.have.length(featureNames.length);
      for (const row of weights.slopes) expect(row).to.have.length(weights.methods.length);
    }
  });
});

describe('the constants of version 3', () => {
  it('have weights of their own for monthly series of at most 71 values', () => {
    const of = (frequency: 'yearly' | 'monthly' | 'weekly', observations: number) =>
      learnedOf({ frequency, observations }, 'svc_forecast_combination_v3');
    expect(of('monthly', 8)).to.deep.equal(of('monthly', 71));
    expect(of('monthly', 72)).to.deep.equal(of('monthly', 2_000));
    expect(of('monthly', 71).weights).not.to.deep.equal(of('monthly', 72).weights);
    expect(of('monthly', 71).upper).to.deep.equal(of('monthly', 72).upper);
    expect(of('yearly', 8)).to.deep.equal(of('yearly', 500));
    expect(of('weekly', 60)).to.deep.equal(
      learnedOf({ frequency: 'weekly', observations: 60 }, 'svc_forecast_combination_v2'),
    );
  });
});

describe('features of a series', () => {
  const values = fc.array(fc.oneof(fc.constant(0), fc.double({ min: -1e200, max: 1e200, noNaN: true })), {
    minLength: 8,
    maxLength: 60,
  });

  it('are finite for any finite values', () => {
    fc.assert(
      fc.property(values, fc.constantFrom(1, 4, 12), (given, period) => {
        const features = seriesFeatures({ values: Float64Array.from(given), period });
        expect(features).to.have.length(featureNames.length);
        for (const feature of features) expect(feature).to.satisfy(Number.isFinite);
      }),
    );
  });

  it('do not depend on the unit of the values', () => {
    const given = Float64Array.from({ length: 40 }, (_, t) => 50 + t + [4, -3, 7, -8][t % 4]!);
    const plain = seriesFeatures({ values: given, period: 4 });
    const scaled = seriesFeatures({ values: given.map((value) => 1000 * value), period: 4 });
    scaled.forEach((feature, at) => expect(feature, featureNames[at]).to.be.closeTo(plain[at]!, 1e-6));
  });

  it('distinguish a seasonal series from a series with a trend', () => {
    const of = (value: (t: number) => number) => {
      const features = seriesFeatures({
        values: Float64Array.from({ length: 48 }, (_, t) => value(t)),
        period: 4,
      });
      return Object.fromEntries(featureNames.map((name, at) => [name, features[at]!]));
    };
    const seasonal = of((t) => 100 + [10, -5, 20, -25][t % 4]!);
    const trending = of((t) => 100 + 5 * t + ((t * 7) % 5));
    expect(seasonal['is_seasonal']).to.equal(1);
    expect(trending['trend_share']).to.be.above(0.95);
    expect(seasonal['trend_share']).to.be.below(0.1);
    expect(trending['trend_slope']).to.be.above(0);
  });

  it('give a weight to the methods for intermittent demand only if the series is intermittent', () => {
    const demand = Float64Array.from({ length: 30 }, (_, t) => (t % 3 === 0 ? 4 : 0));
    expect(priorsOf('monthly', { values: demand, period: 12 }, FORECAST_MODEL)).to.have.property('tsb');
    expect(
      priorsOf('monthly', { values: demand.map((value) => value + 1), period: 12 }, FORECAST_MODEL),
    ).to.not.have.property('tsb');
  });
});
