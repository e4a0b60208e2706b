import { expect } from 'chai';
import fc from 'fast-check';
import { exp } from '#lib/numerics/exponential.ts';
import { ln } from '#lib/numerics/natural-log.ts';
import { exactExp, ulpError } from './reference.ts';

describe('exp', () => {
  it('is within 1.2 units in the last place if the result is a normal double', () => {
    fc.assert(
      fc.property(fc.double({ min: -708.3964185322641, max: 709.782712893384, noNaN: true }), (x) => {
        expect(ulpError(exp(x), exactExp(x))).to.be.at.most(1.2);
      }),
    );
  });

  it('is within 1.2 units in the last place for arguments near 0', () => {
    fc.assert(
      fc.property(fc.double({ min: -1, max: 1, noNaN: true }), (x) => {
        expect(ulpError(exp(x), exactExp(x))).to.be.at.most(1.2);
      }),
    );
  });

  // Here the scaling needs two exact steps, because a single factor 2^n would be subnormal or infinite.
  it('is within 1.2 times 2^-1074 if the result is subnormal', () => {
    fc.assert(
      fc.property(fc.double({ min: -745.1332191019412, max: -708.3964185322641, noNaN: true }), (x) => {
        expect(ulpError(exp(x), exactExp(x))).to.be.at.most(1.2);
      }),
    );
  });

  it('is finite up to the logarithm of the largest double, and Infinity above', () => {
    expect(ulpError(exp(709.782712893384), exactExp(709.782712893384))).to.be.at.most(1.2);
    for (const x of [709.7827128933841, 710, 1e300, Infinity]) expect(exp(x)).to.equal(Infinity);
  });

  it('is above 0 down to the logarithm of the smallest double, and +0 below', () => {
    expect(exp(-745.1332191019411)).to.equal(5e-324);
    for (const x of [-745.1332191019413, -746, -1e300, -Infinity])
      expect(Object.is(exp(x), 0)).to.equal(true);
  });

  it('is exactly 1 at 0, -0 and for subnormal arguments', () => {
    for (const x of [0, -0, 5e-324, -5e-324, 1e-310]) expect(exp(x)).to.equal(1);
  });

  it('is NaN for NaN', () => {
    expect(exp(Number.NaN)).to.be.NaN;
  });

  it('is the inverse of ln up to rounding', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-300, max: 1e300, noNaN: true }), (x) => {
        const y = ln(x);
        expect(exp(y) / x).to.be.closeTo(1, 4.5e-16 * Math.max(1, Math.abs(y)));
      }),
    );
  });

  it('gives reciprocal values for arguments of opposite sign', () => {
    fc.assert(
      fc.property(fc.double({ min: -700, max: 700, noNaN: true }), (x) => {
        expect(exp(x) * exp(-x)).to.be.closeTo(1, 6e-16);
      }),
    );
  });
});
