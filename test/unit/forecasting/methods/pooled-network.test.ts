import { expect } from 'chai';
import fc from 'fast-check';
import { pooledNetwork } from '#lib/forecasting/methods/network/pooled-network.ts';
import { networkOutputs } from '#lib/numerics/prediction/rectifier-network.ts';

const forecastOf = (values: readonly number[], period: number, horizon: number) => {
  const series = { values: Float64Array.from(values), period };
  return pooledNetwork.fit(series, pooledNetwork.choose(series)).forecast(horizon).point;
};

describe('networks with one hidden layer', () => {
  it('add a direct path to the rectified layer', () => {
    const network = { hidden: [[1]], hiddenBias: [-1], output: [[2]], outputBias: [5], direct: [[10]] };
    expect([...networkOutputs(network, [3])]).to.deep.equal([39]);
    expect([...networkOutputs(network, [0])]).to.deep.equal([5]);
  });
});

describe('the pooled network', () => {
  it('continues a steady growth', () => {
    const growth = Array.from({ length: 30 }, (_, t) => 100 * 1.05 ** t);
    const point = forecastOf(growth, 1, 6);
    for (let h = 0; h < 6; h += 1) {
      expect(point[h]! / growth[29]!).to.be.within(1.01 ** (h + 1), 1.06 ** (h + 1));
    }
  });

  it('does not depend on the unit, and repeats the season of a seasonal series', () => {
    const season = [0.8, 1, 1.3, 0.9];
    const values = Array.from({ length: 40 }, (_, t) => 50 * season[t % 4]!);
    const plain = forecastOf(values, 4, 8);
    const scaled = forecastOf(
      values.map((value) => 1000 * value),
      4,
      8,
    );
    plain.forEach((value, h) => {
      expect(scaled[h]! / value).to.be.closeTo(1000, 1e-6);
      expect(value / (50 * season[h % 4]!)).to.be.closeTo(1, 0.05);
    });
  });

  it('gives the same first points for a longer horizon as for a shorter horizon', () => {
    const values = Array.from({ length: 36 }, (_, t) => 20 + t + ((t * 7) % 5));
    const short = forecastOf(values, 12, 6);
    const long = forecastOf(values, 12, 60);
    expect([...long.subarray(0, 6)]).to.deep.equal([...short]);
    expect(long).to.satisfy((point: Float64Array) =>
      point.every((value) => Number.isFinite(value) && value > 0),
    );
  });

  it('supports only positive yearly, quarterly and monthly series of at least 5 values', () => {
    const serves = (values: readonly number[], period: number) =>
      pooledNetwork.serves({ values: Float64Array.from(values), period });
    for (const period of [1, 4, 12]) expect(serves([1, 2, 3, 4, 5], period)).to.equal(true);
    for (const period of [2, 7, 24, 26, 52]) expect(serves([1, 2, 3, 4, 5], period)).to.equal(false);
    expect(serves([1, 2, 3, 4], 1)).to.equal(false);
    expect(serves([1, 2, 0, 4, 5], 1)).to.equal(false);
  });

  it('returns finite points for any positive series, and points above 0 for a series without a season', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 1e-200, max: 1e200, noNaN: true }), { minLength: 5, maxLength: 50 }),
        fc.constantFrom(1, 4, 12),
        (values, period) => {
          const point = forecastOf(values, period, 20);
          expect(point).to.have.length(20);
          for (const value of point) {
            expect(Number.isFinite(value)).to.equal(true);
            if (period === 1) expect(value).to.be.at.least(0);
          }
        },
      ),
    );
  });
});
