import { expect } from 'chai';
import fc from 'fast-check';
import { baselZone } from '#lib/numerics/risk/basel-zone.ts';
import { christoffersen } from '#lib/numerics/risk/christoffersen.ts';
import { esCornishFisher, varCornishFisher } from '#lib/numerics/risk/cornish-fisher.ts';
import { esRockafellarUryasev } from '#lib/numerics/risk/es-rockafellar-uryasev.ts';
import {
  ascendingOrder,
  esCoefficients,
  eulerSum,
  eulerSums,
  varGaussianCoefficients,
  varType7Coefficients,
  volatilityCoefficients,
} from '#lib/numerics/risk/euler-coefficients.ts';
import { filteredReturns } from '#lib/numerics/risk/filtered-historical.ts';
import { esGaussian, varGaussian } from '#lib/numerics/risk/gaussian.ts';
import { esHistoricalOrder, tailCount, varHistoricalOrder } from '#lib/numerics/risk/historical-order.ts';
import { esStrictlyBeyond, varHistoricalType7 } from '#lib/numerics/risk/historical-type7.ts';
import { kupiec } from '#lib/numerics/risk/kupiec.ts';
import { annualVolatility } from '#lib/numerics/risk/annual-volatility.ts';
import { populationMoments } from '#lib/numerics/risk/population-moments.ts';
import { rollingExceptions } from '#lib/numerics/risk/rolling-exceptions.ts';

const values = fc.array(fc.double({ min: -0.5, max: 0.5, noNaN: true }), { minLength: 2, maxLength: 200 });
const level = fc.constantFrom(0.5, 0.9, 0.95, 0.975, 0.99);
const sorted = (each: readonly number[]) => Float64Array.from(each).sort();

describe('value at risk and expected shortfall', () => {
  it('equal values computed by hand', () => {
    const five = [-0.04, -0.02, 0, 0.02, 0.04];
    expect(varHistoricalType7(five, 0.75)).to.equal(0.02);
    expect(esStrictlyBeyond(five, 0.75)).to.equal(0.04);
    expect(varHistoricalOrder([-0.04, -0.02, 0, 0.02], 0.7)).to.equal(0.04);
    expect(esHistoricalOrder([-0.04, -0.02, 0, 0.02], 0.6)).to.equal(0.03);
    expect(tailCount(1_006, 0.95)).to.equal(51);
    expect(esRockafellarUryasev([-0.03, -0.01, 0.01, 0.03], 0.625)).to.be.closeTo(0.035 / 1.5, 1e-15);
    expect(varGaussian({ mean: 0, deviation: 0.01 }, 0.95)).to.be.closeTo(0.0164485, 1e-7);
    expect(esGaussian({ mean: 0, deviation: 0.01 }, 0.95)).to.be.closeTo(0.0206271, 1e-7);
  });

  it('include a shortfall that equals the minimum of the linear program of Rockafellar and Uryasev', () => {
    fc.assert(
      fc.property(values, level, (each, at) => {
        const programme = (threshold: number) =>
          threshold +
          each.reduce((total, value) => total + Math.max(0, -value - threshold), 0) /
            ((1 - at) * each.length);
        const minimum = Math.min(...each.map((value) => programme(-value)));
        expect(esRockafellarUryasev(sorted(each), at)).to.be.closeTo(minimum, 1e-10);
      }),
    );
  });

  it('include a shortfall that is never below the value at risk of the same convention', () => {
    fc.assert(
      fc.property(values, level, (each, at) => {
        const ascending = sorted(each);
        expect(esHistoricalOrder(ascending, at)).to.be.at.least(varHistoricalOrder(ascending, at) - 1e-15);
        expect(esRockafellarUryasev(ascending, at)).to.be.at.least(varHistoricalType7(ascending, at) - 1e-15);
      }),
    );
  });

  it('include a shortfall by Rockafellar and Uryasev that is subadditive', () => {
    const pairs = fc.array(
      fc.tuple(fc.double({ min: -1, max: 1, noNaN: true }), fc.double({ min: -1, max: 1, noNaN: true })),
      {
        minLength: 1,
        maxLength: 80,
      },
    );
    fc.assert(
      fc.property(pairs, level, (both, at) => {
        const of = (value: (pair: [number, number]) => number) =>
          esRockafellarUryasev(sorted(both.map(value)), at);
        expect(of(([one, other]) => one + other)).to.be.at.most(
          of(([one]) => one) + of(([, other]) => other) + 1e-12,
        );
      }),
    );
  });

  it('of Cornish-Fisher equal the Gaussian values for skewness and excess kurtosis of 0, and are null without variation', () => {
    const plain = { mean: 0.001, deviation: 0.02, skewness: 0, excessKurtosis: 0 };
    expect(varCornishFisher(plain, 0.99)).to.equal(varGaussian(plain, 0.99));
    expect(esCornishFisher(plain, 0.99)).to.be.closeTo(esGaussian(plain, 0.99), 1e-15);
    expect(varCornishFisher(populationMoments([0.01, 0.01]), 0.95)).to.equal(null);
    expect(esCornishFisher(populationMoments([0.01, 0.01]), 0.95)).to.equal(null);
  });

  it('include a Cornish-Fisher shortfall that is the mean of the values at risk above the level', () => {
    const moments = { mean: 0, deviation: 1, skewness: -0.4, excessKurtosis: 1.5 };
    const steps = 200_000;
    let total = 0;
    for (let k = 0; k < steps; k += 1) total += varCornishFisher(moments, 1 - (0.05 * (k + 0.5)) / steps)!;
    expect(esCornishFisher(moments, 0.95)).to.be.closeTo(total / steps, 1e-4);
  });

  it('cannot be computed for a level outside (0, 1), no values or NaN', () => {
    for (const at of [0, 1, -1, Number.NaN]) {
      expect(() => varHistoricalType7([0.1], at)).to.throw(RangeError);
      expect(() => esRockafellarUryasev([0.1], at)).to.throw(RangeError);
      expect(() => varHistoricalOrder([0.1], at)).to.throw(RangeError);
    }
    expect(() => esRockafellarUryasev([], 0.95)).to.throw(RangeError);
    expect(() => varHistoricalType7([0.1, Number.NaN], 0.95)).to.throw(RangeError);
  });

  it('are the loss itself if there is only one return', () => {
    for (const measure of [varHistoricalType7, varHistoricalOrder, esHistoricalOrder, esRockafellarUryasev])
      expect(measure([-0.03], 0.99)).to.be.closeTo(0.03, 1e-15);
    expect(esStrictlyBeyond([-0.03], 0.99)).to.equal(null);
  });
});

describe('filteredReturns', () => {
  it('does not change returns of equal absolute value, or returns of 0', () => {
    const same = filteredReturns([0.01, -0.01, 0.01, -0.01], 0.94);
    for (const each of same) expect(Math.abs(each)).to.be.closeTo(0.01, 1e-15);
    expect([...filteredReturns([0, 0], 0.94)]).to.deep.equal([0, 0]);
    expect(() => filteredReturns([0.1], 1)).to.throw(RangeError);
  });

  it('scales returns of a calm period up if the volatility at the end is higher', () => {
    const calm = Array.from({ length: 100 }, (_, t) => (t % 2 ? 0.01 : -0.01));
    const stormy = filteredReturns([...calm, 0.05, -0.05, 0.05], 0.94);
    expect(Math.abs(stormy[90]!)).to.be.above(0.02);
  });
});

describe('Euler coefficients', () => {
  it('give the portfolio measure as a sum over periods, and components of positions that sum to the measure', () => {
    const book = fc.array(
      fc.array(fc.double({ min: -0.3, max: 0.3, noNaN: true }), { minLength: 30, maxLength: 30 }),
      {
        minLength: 1,
        maxLength: 6,
      },
    );
    fc.assert(
      fc.property(book, level, (columns, at) => {
        const weights = columns.map((_, k) => (k % 3 === 2 ? -0.2 : 0.5));
        const returns = Float64Array.from({ length: 30 }, (_, t) =>
          columns.reduce((total, column, k) => total + weights[k]! * column[t]!, 0),
        );
        const order = ascendingOrder(returns);
        const ascending = returns.toSorted();
        const measures = [
          [volatilityCoefficients(returns), annualVolatility(returns, 1)!],
          [varGaussianCoefficients(returns, at), varGaussian(populationMoments(returns), at)],
          [varType7Coefficients(order, at), varHistoricalType7(ascending, at)],
          [esCoefficients(order, at), esRockafellarUryasev(ascending, at)],
        ] as const;
        for (const [coefficients, total] of measures) {
          if (coefficients === null) continue;
          expect(eulerSum(coefficients, returns)).to.be.closeTo(total, 1e-9);
          const components = columns.map(
            (column, k) => weights[k]! * eulerSum(coefficients, Float64Array.from(column)),
          );
          expect(components.reduce((sum, each) => sum + each, 0)).to.be.closeTo(total, 1e-9);
        }
      }),
    );
  });

  it('have the same bits for many holdings at once as for each holding', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.double(), { minLength: 9, maxLength: 9 }), { maxLength: 11 }),
        (rows) => {
          const columns = rows.map((row) => Float64Array.from(row));
          const returns = Float64Array.from({ length: 9 }, (_, t) => 0.01 * (t % 4) - 0.02);
          for (const coefficients of [
            volatilityCoefficients(returns)!,
            esCoefficients(ascendingOrder(returns), 0.75),
          ])
            expect(eulerSums(coefficients, columns)).to.deep.equal(
              columns.map((column) => eulerSum(coefficients, column)),
            );
        },
      ),
    );
  });

  it('order equal returns by period, and are null without variation', () => {
    expect([...ascendingOrder([1, 0, 1, 0])]).to.deep.equal([1, 3, 0, 2]);
    expect(volatilityCoefficients([0.1, 0.1])).to.equal(null);
    expect(varGaussianCoefficients([0.1], 0.95)).to.equal(null);
  });
});

describe('the backtests of a value at risk', () => {
  it('equal published values', () => {
    // The zones of the Basel Committee (1996) for 250 days at 99 %.
    expect([0, 4, 5, 9, 10, 250].map((each) => baselZone(each, 250, 0.99))).to.deep.equal([
      'green',
      'green',
      'yellow',
      'yellow',
      'red',
      'red',
    ]);
    expect(kupiec(3, 250, 0.99).statistic).to.be.closeTo(0.0949, 1e-4);
    // By Kupiec (1995), 7 to 20 exceptions in 255 days at 95 % are not rejected at the 5 % level.
    expect([6, 7, 20, 21].map((each) => kupiec(each, 255, 0.95).p > 0.05)).to.deep.equal([
      false,
      true,
      true,
      false,
    ]);
    expect(kupiec(0, 100, 0.99).statistic).to.be.closeTo(-200 * Math.log(0.99), 1e-9);
  });

  it('reject independence for clustered exceptions but not for spread exceptions', () => {
    const clustered = Uint8Array.from({ length: 250 }, (_, t) => (t >= 100 && t < 110 ? 1 : 0));
    const spread = Uint8Array.from({ length: 250 }, (_, t) => (t % 25 === 0 ? 1 : 0));
    expect(christoffersen(clustered, 0.95).independence.p).to.be.below(1e-6);
    expect(christoffersen(spread, 0.95).independence.p).to.be.above(0.3);
    const none = christoffersen(new Uint8Array(50), 0.99);
    expect(none.independence).to.deep.equal({ statistic: 0, p: 1 });
    expect(none.conditionalCoverage.statistic).to.equal(kupiec(0, 50, 0.99).statistic);
    expect(christoffersen(new Uint8Array(50).fill(1), 0.99).independence.statistic).to.equal(0);
  });

  it('count the same rolling exceptions as a computation that sorts every window', () => {
    fc.assert(
      fc.property(values, fc.integer({ min: 1, max: 20 }), level, (each, window, at) => {
        const expected = each
          .slice(window)
          .map((next, t) => (next < -varHistoricalType7(sorted(each.slice(t, t + window)), at) ? 1 : 0));
        expect([...rollingExceptions(each, { window, level: at })]).to.deep.equal(expected);
      }),
    );
  });

  it('throw on more exceptions than days, an empty window, and levels out of range', () => {
    expect(() => kupiec(2, 1, 0.99)).to.throw(RangeError);
    expect(() => kupiec(0, 10, 1)).to.throw(RangeError);
    expect(() => baselZone(0, 0, 0.99)).to.throw(RangeError);
    expect(() => christoffersen([1], 0.99)).to.throw(RangeError);
    expect(() => rollingExceptions([0.1], { window: 0, level: 0.9 })).to.throw(RangeError);
  });
});
