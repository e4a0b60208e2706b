import { expect } from 'chai';
import fc from 'fast-check';
import { combinedIntervals, meanWidth, multiplierAt } from '#lib/forecasting/engine/intervals.ts';
import { learnedOf } from '#lib/forecasting/engine/learned-constants.ts';
import { frequencies } from '#lib/forecasting/engine/forecast-series.types.ts';

const factors = [
  { level: 50, factor: 1.2 },
  { level: 80, factor: 1.1 },
  { level: 95, factor: 1.3 },
];
/** The same widths on both sides. */
const both = { lower: { factors, widening: null }, upper: { factors, widening: null } };
const error = fc.double({ min: 0, max: 1e6, noNaN: true });
const errors = fc.array(
  fc.array(error, { minLength: 6, maxLength: 6 }).map(Float64Array.from.bind(Float64Array)),
  {
    minLength: 1,
    maxLength: 3,
  },
);
const center = fc
  .array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 6, maxLength: 6 })
  .map((values) => Float64Array.from(values));

describe('the intervals of a combined forecast', () => {
  it('extend on each side by factor times z times the mean standard error', () => {
    const [interval] = combinedIntervals(Float64Array.of(10), [Float64Array.of(1), Float64Array.of(3)], {
      levels: [95],
      nonNegative: false,
      ...both,
    });
    expect(interval!.upper[0]).to.be.closeTo(10 + 1.3 * 1.959963984540054 * 2, 1e-12);
    expect(interval!.lower[0]).to.be.closeTo(10 - 1.3 * 1.959963984540054 * 2, 1e-12);
    expect(interval!.factor).to.equal(1.3);
  });

  it('have the factor and the widening of each side', () => {
    const [interval] = combinedIntervals(Float64Array.of(10, 10), [Float64Array.of(2, 2)], {
      levels: [95],
      nonNegative: false,
      lower: { factors: [{ level: 95, factor: 0.5 }], widening: Float64Array.of(1, 3) },
      upper: { factors, widening: Float64Array.of(2, 1) },
    });
    const z = 1.959963984540054;
    expect(interval).to.include({ factor: 1.3, lowerFactor: 0.5 });
    [2, 6].forEach((width, step) => expect(interval!.lower[step]).to.be.closeTo(10 - 0.5 * z * width, 1e-12));
    // The upper side does not narrow.
    [4, 4].forEach((width, step) => expect(interval!.upper[step]).to.be.closeTo(10 + 1.3 * z * width, 1e-12));
  });

  it('never narrow as the horizon grows', () => {
    expect([...meanWidth([Float64Array.of(1, 3, 2), Float64Array.of(3, 0, 2)], 3)]).to.deep.equal([2, 2, 2]);
    fc.assert(
      fc.property(errors, (standardErrors) => {
        const width = meanWidth(standardErrors, 6);
        for (let step = 1; step < 6; step += 1) expect(width[step]).to.be.at.least(width[step - 1]!);
      }),
    );
  });

  it('are nested for increasing levels, for any series', () => {
    const levels = [1, 10, 49.9, 50, 65, 80, 90, 95, 99, 99.9];
    fc.assert(
      fc.property(center, errors, fc.boolean(), (points, standardErrors, nonNegative) => {
        const intervals = combinedIntervals(points, standardErrors, { levels, nonNegative, ...both });
        for (let at = 1; at < levels.length; at += 1) {
          for (let step = 0; step < 6; step += 1) {
            expect(intervals[at]!.lower[step]).to.be.at.most(intervals[at - 1]!.lower[step]!);
            expect(intervals[at]!.upper[step]).to.be.at.least(intervals[at - 1]!.upper[step]!);
          }
        }
      }),
    );
  });

  it('stay at 0 or above if the metric cannot be negative', () => {
    const options = { levels: [95], nonNegative: true, ...both };
    const [interval] = combinedIntervals(Float64Array.of(1, -3), [Float64Array.of(5, 1)], options);
    expect([...interval!.lower]).to.deep.equal([0, 0]);
    expect(interval!.upper[1]).to.be.at.least(0);
  });

  it('have a width that is interpolated by z between the levels with a known factor', () => {
    const [low, middle, high] = [80, 90, 95].map((level) => multiplierAt(level, factors));
    const z = [1.2815515655446004, 1.6448536269514722, 1.959963984540054];
    const share = (z[1]! - z[0]!) / (z[2]! - z[0]!);
    expect(middle!.multiplier).to.be.closeTo(
      low!.multiplier + share * (high!.multiplier - low!.multiplier),
      1e-12,
    );
    expect(multiplierAt(99, factors).factor).to.equal(1.3);
    expect(multiplierAt(10, factors).factor).to.equal(1.2);
  });

  it('grow with the level for the learned factors of every frequency', () => {
    for (const frequency of frequencies)
      for (const observations of [20, 30, 40, 100]) {
        const { lower, upper } = learnedOf({ frequency, observations });
        for (const { factors } of [lower, upper]) {
          let last = 0;
          for (let level = 1; level < 100; level += 1) {
            const { multiplier } = multiplierAt(level, factors);
            expect(multiplier, `${frequency} at ${level}`).to.be.above(last);
            last = multiplier;
          }
        }
      }
  });
});
