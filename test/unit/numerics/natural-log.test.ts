import { expect } from 'chai';
import fc from 'fast-check';
import { exp } from '#lib/numerics/exponential.ts';
import { ln } from '#lib/numerics/natural-log.ts';
import { exactLn, ulpError } from './reference.ts';

const positive = fc.double({ min: 5e-324, max: Number.MAX_VALUE, noNaN: true });

describe('ln', () => {
  it('is within 2 units in the last place for every positive double', () => {
    fc.assert(
      fc.property(positive, (x) => {
        expect(ulpError(ln(x), exactLn(x))).to.be.at.most(2);
      }),
    );
  });

  // Near 1 the result is near 0, so cancellation would cause a large relative error.
  it('is within 2 units in the last place for arguments near 1', () => {
    fc.assert(
      fc.property(fc.double({ min: -0.01, max: 0.01, noNaN: true }), (distance) => {
        const x = 1 + distance;
        expect(ulpError(ln(x), exactLn(x))).to.be.at.most(2);
      }),
    );
  });

  it('is within 2 units in the last place for arguments at which the exponent of the range reduction changes', () => {
    const edges = [
      0.7071067811865475,
      0.7071067811865476,
      Math.SQRT2,
      1.4142135623730954,
      2.82842712474619,
      0.5,
      2,
      4,
    ];
    for (const x of [...edges, 1 - 2 ** -53, 1 + 2 ** -52]) {
      expect(ulpError(ln(x), exactLn(x)), String(x)).to.be.at.most(2);
    }
  });

  it('is accurate for the smallest and the largest doubles', () => {
    for (const x of [5e-324, 1e-310, 2.225073858507201e-308, 2.2250738585072014e-308, Number.MAX_VALUE]) {
      expect(ulpError(ln(x), exactLn(x)), String(x)).to.be.at.most(1);
    }
    expect(ln(Infinity)).to.equal(Infinity);
    expect(ln(0)).to.equal(-Infinity);
    expect(ln(-0)).to.equal(-Infinity);
  });

  it('is exactly +0 at 1', () => {
    expect(Object.is(ln(1), 0)).to.equal(true);
  });

  it('is NaN for negative numbers and NaN', () => {
    for (const x of [-5e-324, -1, -Infinity, Number.NaN]) expect(ln(x)).to.be.NaN;
  });

  it('is the inverse of exp up to rounding', () => {
    fc.assert(
      fc.property(fc.double({ min: -700, max: 700, noNaN: true }), (x) => {
        expect(ln(exp(x))).to.be.closeTo(x, 4.5e-16 * Math.max(1, Math.abs(x)));
      }),
    );
  });

  it('of a product equals the sum of the logarithms up to rounding', () => {
    const factor = fc.double({ min: 1e-100, max: 1e100, noNaN: true });
    fc.assert(
      fc.property(factor, factor, (a, b) => {
        const size = Math.abs(ln(a)) + Math.abs(ln(b)) + 1;
        expect(ln(a * b)).to.be.closeTo(ln(a) + ln(b), 1e-15 * size);
      }),
    );
  });
});
