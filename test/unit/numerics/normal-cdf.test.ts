import { expect } from 'chai';
import fc from 'fast-check';
import { normalCdf } from '#lib/numerics/normal-cdf.ts';
import { normalQuantile } from '#lib/numerics/normal-quantile.ts';
import { exactNormalCdf, ulpError } from './reference.ts';
import { repetitions } from '../../support/repetitions.ts';

describe('normalCdf', function () {
  // The expected values are computed with mpmath 1.3.0: `mp.dps = 40; ncdf(x)`.
  it('equals mpmath to a relative error of 9e-16', () => {
    const cases: [number, number][] = [
      [-37, 5.7255712225245768e-300],
      [-20, 2.7536241186062337e-89],
      [-1, 0.15865525393145705],
      [-0.5, 0.30853753872598689],
      [1, 0.84134474606854294],
    ];
    for (const [x, expected] of cases) {
      expect(normalCdf(x) / expected, String(x)).to.be.closeTo(1, 9e-16);
    }
  });

  it('is within 8 units in the last place in the lower tail and the middle range', () => {
    fc.assert(
      fc.property(fc.double({ min: -38, max: 0.68, noNaN: true }), (x) => {
        expect(ulpError(normalCdf(x), exactNormalCdf(x))).to.be.at.most(8);
      }),
      { numRuns: repetitions.exactPoints },
    );
    fc.assert(
      fc.property(fc.integer({ min: -60000, max: 0 }), (step) => {
        const x = step / 10000;
        expect(ulpError(normalCdf(x), exactNormalCdf(x))).to.be.at.most(8);
      }),
      { numRuns: repetitions.exactPoints },
    );
  });

  it('is within 2 units in the last place above the middle range', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 9, noNaN: true }), (x) => {
        expect(ulpError(normalCdf(x), exactNormalCdf(x))).to.be.at.most(2);
      }),
    );
  });

  it('is within 8 units in the last place at the boundaries between its three ranges', () => {
    for (const joint of [0.67448975, 5.656854249492381]) {
      for (const x of [joint * (1 - 2e-16), joint, joint * (1 + 3e-16)]) {
        expect(ulpError(normalCdf(-x), exactNormalCdf(-x)), String(-x)).to.be.at.most(8);
        expect(ulpError(normalCdf(x), exactNormalCdf(x)), String(x)).to.be.at.most(2);
      }
    }
  });

  it('has values at x and -x that sum to 1', () => {
    fc.assert(
      fc.property(fc.double({ min: -50, max: 50, noNaN: true }), (x) => {
        expect(normalCdf(x) + normalCdf(-x)).to.be.closeTo(1, 2.3e-16);
      }),
    );
  });

  it('is exactly 1/2 at 0, -0 and for subnormal arguments', () => {
    for (const x of [0, -0, 5e-324, -5e-324]) expect(normalCdf(x)).to.equal(0.5);
  });

  it('is exactly 0 and 1 far in the tails', () => {
    for (const x of [-38.6, -39.9, -40.1, -1e155, -1e300, -Infinity])
      expect(normalCdf(x), String(x)).to.equal(0);
    for (const x of [8.3, 39.9, 40.1, 1e155, 1e300, Infinity]) expect(normalCdf(x), String(x)).to.equal(1);
    expect(normalCdf(-38.4)).to.be.within(5e-324, 1e-322);
  });

  it('is NaN for NaN', () => {
    expect(normalCdf(Number.NaN)).to.be.NaN;
  });

  it('is the inverse of normalQuantile up to rounding', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-300, max: 1, noNaN: true, maxExcluded: true }), (p) => {
        const z = normalQuantile(p);
        expect(normalCdf(z) / p).to.be.closeTo(1, 1e-15 * (2 + z * z));
      }),
    );
  });
});
