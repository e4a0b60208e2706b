import { expect } from 'chai';
import fc from 'fast-check';
import {
  expectedExposure,
  expectedExposureBelow,
  marginPeriodExposure,
  potentialExposure,
} from '#lib/investment/theme-factors/normal-exposure.ts';

const anyValue = fc.record({
  mean: fc.double({ min: -1e9, max: 1e9, noNaN: true }),
  stdev: fc.oneof(fc.constant(0), fc.double({ min: 1e-3, max: 1e9, noNaN: true })),
});

describe('the exposure of a normally distributed value', () => {
  it('has a positive and a negative expected part whose difference is the mean', () => {
    fc.assert(
      fc.property(anyValue, ({ mean, stdev }) => {
        const difference = expectedExposure({ mean, stdev }) - expectedExposure({ mean: -mean, stdev });
        expect(difference).to.be.closeTo(mean, 1e-14 * (Math.abs(mean) + stdev));
      }),
    );
  });

  it('is the positive part of the mean if the standard deviation is 0', () => {
    expect([5, -5, 0].map((mean) => expectedExposure({ mean, stdev: 0 }))).to.deep.equal([5, 0, 0]);
    expect(potentialExposure({ mean: 5, stdev: 0 }, 0.99)).to.equal(5);
    expect(expectedExposureBelow({ mean: 5, stdev: 0 }, 3)).to.equal(3);
  });

  it('is never below 0, even for a mean far below 0', () => {
    for (const mean of [-1, -6, -9, -38, -1e6]) {
      expect(expectedExposure({ mean, stdev: 1 }), String(mean)).to.be.within(0, 0.09);
    }
  });

  it('below a threshold rises with the threshold, from 0 to the exposure without a threshold', () => {
    fc.assert(
      fc.property(anyValue, fc.double({ min: 0, max: 1e9, noNaN: true }), (value, threshold) => {
        const slack = 1e-13 * (Math.abs(value.mean) + value.stdev + threshold);
        const left = expectedExposureBelow(value, threshold);
        expect(expectedExposureBelow(value, 0)).to.equal(0);
        expect(left).to.be.within(0, Math.min(threshold, expectedExposure(value)) + slack);
        expect(expectedExposureBelow(value, 2 * threshold)).to.be.at.least(left - slack);
        expect(expectedExposureBelow(value, 1e15)).to.be.closeTo(expectedExposure(value), slack);
      }),
    );
  });

  it('scales with the value: a value 1024 times as large has 1024 times the exposure', () => {
    const one = expectedExposure({ mean: 0.3, stdev: 2 });
    expect(expectedExposure({ mean: 0.3 * 1024, stdev: 2 * 1024 })).to.equal(one * 1024);
  });

  it('over a margin period doubles if the period is four times as long', () => {
    const days = (count: number) => marginPeriodExposure({ annualStdev: 1e6, days: count, daysPerYear: 252 });
    expect(days(40)).to.equal(2 * days(10));
    expect(days(0)).to.equal(0);
  });

  it('has a potential exposure of at least 0, and infinity for a probability of 1', () => {
    expect(potentialExposure({ mean: -10, stdev: 1 }, 0.95)).to.equal(0);
    expect(potentialExposure({ mean: 0, stdev: 1 }, 1)).to.equal(Infinity);
  });

  it('throws on a standard deviation or a threshold below 0', () => {
    expect(() => expectedExposure({ mean: 0, stdev: -1 })).to.throw(RangeError);
    expect(() => expectedExposure({ mean: 0, stdev: Number.NaN })).to.throw(RangeError);
    expect(() => expectedExposureBelow({ mean: 0, stdev: 1 }, -1)).to.throw(RangeError);
  });
});
