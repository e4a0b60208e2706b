import { expect } from 'chai';
import {
  differenceOrders,
  ordinaryDifferences,
} from '#lib/forecasting/methods/difference/difference-orders.ts';
import { difference, isConstant } from '#lib/forecasting/methods/difference/difference.ts';
import { kpssStatistic } from '#lib/forecasting/methods/difference/kpss.ts';
import { hasSeasonalRoot, ocsbCritical, ocsbStatistic } from '#lib/forecasting/methods/difference/ocsb.ts';
import { seasonalStrength } from '#lib/forecasting/methods/difference/seasonal-strength.ts';
import { golden, goldenSeries } from './golden.ts';

describe('differenceOrders', () => {
  for (const [name, { d, D, plain_d }] of Object.entries(golden.differences))
    it(`chooses the same numbers of differences as R for ${name}`, () => {
      const { values, period } = goldenSeries(name);
      expect(differenceOrders(values, period)).to.deep.equal({ d, D });
      expect(ordinaryDifferences(values)).to.equal(plain_d);
    });

  it('chooses the same orders for a scaled and shifted series', () => {
    const { values, period } = goldenSeries('AirPassengers');
    const moved = values.map((value) => 1e6 - 3e-3 * value);
    expect(differenceOrders(moved, period)).to.deep.equal(differenceOrders(values, period));
  });

  it('chooses no differences for constant, empty and very short series', () => {
    for (const values of [[], [7], [7, 7, 7], Array.from({ length: 40 }, () => 0)])
      expect(differenceOrders(Float64Array.from(values), 12)).to.deep.equal({ d: 0, D: 0 });
  });

  it('chooses one difference for a straight line and two for a parabola', () => {
    const line = Float64Array.from({ length: 30 }, (_, t) => 5 + 2 * t);
    expect(ordinaryDifferences(line)).to.equal(1);
    expect(ordinaryDifferences(line.map((value) => value * value))).to.equal(2);
  });
});

describe('kpssStatistic', () => {
  for (const [name, { kpss }] of Object.entries(golden.differences))
    it(`equals the statistic of R for ${name}`, () => {
      expect(kpssStatistic(goldenSeries(name).values)).to.be.closeTo(kpss, 1e-11 * kpss);
    });
});

describe('ocsbStatistic', () => {
  for (const [name, { ocsb, ocsb_critical }] of Object.entries(golden.differences)) {
    if (!ocsb) continue;
    it(`equals the statistics and the critical value of R for ${name}`, () => {
      const { values, period } = goldenSeries(name);
      ocsb.forEach((statistic, lags) =>
        expect(ocsbStatistic(values, period, lags)!).to.be.closeTo(statistic, 1e-8 * Math.abs(statistic)),
      );
      expect(ocsbCritical(period)).to.be.closeTo(ocsb_critical!, 1e-6);
    });
  }

  it('gives the expected seasonal differences if AIC chooses the lag order', () => {
    const decide = (name: string): number => {
      const { values, period } = goldenSeries(name);
      return differenceOrders(values, period, 'ocsb').D;
    };
    expect(['AirPassengers', 'UKgas', 'JohnsonJohnson'].map(decide)).to.deep.equal([1, 1, 1]);
    expect(['USAccDeaths', 'ldeaths', 'nottem'].map(decide)).to.deep.equal([0, 0, 0]);
  });

  it('is undefined for a series that is too short or constant', () => {
    expect(ocsbStatistic(Float64Array.of(1, 3, 2, 5, 4, 6), 4, 3)).to.equal(undefined);
    expect(ocsbStatistic(new Float64Array(60), 12, 1)).to.equal(undefined);
    expect(hasSeasonalRoot(new Float64Array(60).fill(2), 12)).to.equal(false);
  });
});

describe('seasonalStrength', () => {
  it('is near 1 for a repeated pattern and 0 for a series that is too short', () => {
    const pattern = Float64Array.from({ length: 60 }, (_, t) => [1, 5, 2, 9][t % 4]! + 0.1 * t);
    expect(seasonalStrength(pattern, 4)).to.be.above(0.99);
    expect(seasonalStrength(pattern.slice(0, 8), 4)).to.equal(0);
  });
});

describe('difference', () => {
  it('subtracts the value one lag earlier', () => {
    expect([...difference(Float64Array.of(1, 4, 9, 16), 2)]).to.deep.equal([8, 12]);
    expect(difference(Float64Array.of(1, 4), 12)).to.have.length(0);
  });

  it('has the counterpart isConstant, which detects constant series up to rounding', () => {
    expect(isConstant(Float64Array.of(3, 3, 3))).to.equal(true);
    expect(isConstant(Float64Array.of(0, 0, 1e-300))).to.equal(false);
    expect(isConstant(Float64Array.of(1e9, 1e9 + 1))).to.equal(true);
  });
});
