import { expect } from 'chai';
import fc from 'fast-check';
import { normalCdf } from '#lib/numerics/normal-cdf.ts';
import { normalQuantile } from '#lib/numerics/normal-quantile.ts';
import { uniform52 } from '#lib/numerics/uniform.ts';
import { exactNormalCdf, fixed } from './reference.ts';

const word = fc.integer({ min: 0, max: 0xffffffff });

describe('normalQuantile', function () {
  it('has a relative error of at most 9e-16, from one half to below the smallest uniform of the generator', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-100, max: 0.5, noNaN: true }), (p) => {
        expect(relativeError(normalQuantile(p), p)).to.be.at.most(9e-16);
      }),
    );
    fc.assert(
      fc.property(word, word, (a, b) => {
        const u = uniform52(a, b);
        expect(relativeError(normalQuantile(u), u)).to.be.at.most(9e-16);
      }),
    );
  });

  it('has a relative error of at most 9e-16 at the boundaries between its three ranges', () => {
    const joints = [
      0.075, 0.07499999999999998, 0.07500000000000001, 1.3887943864964021e-11, 1.388794386496402e-11,
    ];
    for (const p of joints) expect(relativeError(normalQuantile(p), p), String(p)).to.be.at.most(9e-16);
  });

  it('is exactly antisymmetric on the uniforms of the generator', () => {
    fc.assert(
      fc.property(word, word, (a, b) => {
        const u = uniform52(a, b);
        expect(normalQuantile(1 - u)).to.equal(-normalQuantile(u));
      }),
    );
  });

  it('is +0 at one half', () => {
    expect(Object.is(normalQuantile(0.5), 0)).to.equal(true);
  });

  it('is finite for the smallest positive double, and infinite at 0 and 1', () => {
    expect(normalQuantile(5e-324)).to.be.closeTo(-38.4674056177, 1e-9);
    expect(normalQuantile(0)).to.equal(-Infinity);
    expect(normalQuantile(-0)).to.equal(-Infinity);
    expect(normalQuantile(1)).to.equal(Infinity);
  });

  it('is NaN outside [0, 1] and for NaN', () => {
    for (const p of [-5e-324, -1, 1.0000000000000002, 2, Infinity, -Infinity, Number.NaN]) {
      expect(normalQuantile(p), String(p)).to.be.NaN;
    }
  });

  it('is the inverse of normalCdf up to rounding', () => {
    fc.assert(
      fc.property(fc.double({ min: -37, max: 5, noNaN: true }), (x) => {
        const tolerance = 2e-15 * Math.max(1, Math.abs(x)) + (x > 0 ? 1.2e-16 / density(x) : 0);
        expect(normalQuantile(normalCdf(x))).to.be.closeTo(x, tolerance);
      }),
    );
  });

  it('never decreases by more than its rounding error', () => {
    const p = fc.double({ min: 1e-300, max: 1, noNaN: true, maxExcluded: true });
    fc.assert(
      fc.property(p, p, (a, b) => {
        const [low, high] = a < b ? [a, b] : [b, a];
        const gap = normalQuantile(high) - normalQuantile(low);
        expect(gap).to.be.at.least(-2e-15 * Math.abs(normalQuantile(low)));
      }),
    );
  });
});

/**
 * Returns the relative error of z. The error is estimated by one Newton step on the exact distribution
 * function: |cdf(z) - p| / (density(z) |z|).
 */
function relativeError(z: number, p: number): number {
  if (p === 0.5) return z === 0 ? 0 : Infinity;
  const { value, bits } = exactNormalCdf(z);
  const difference = value - fixed(p, bits);
  const inUnitsOfP = Number((difference << 200n) / fixed(Math.min(p, 1 - p), bits)) / 2 ** 200;
  return Math.abs((inUnitsOfP * Math.min(p, 1 - p)) / (density(z) * z));
}

function density(x: number): number {
  return Math.exp(-0.5 * x * x) / Math.sqrt(2 * Math.PI);
}
