import { expect } from 'chai';
import { expMinusOne } from '#lib/numerics/exponential-minus-one.ts';

describe('expMinusOne', () => {
  // Math.expm1 is accurate to one unit in the last place, but its last bit differs between JavaScript
  // engines.
  it('equals Math.expm1 to a few units in the last place, for arguments of every size', () => {
    for (const sign of [1, -1]) {
      for (let x = 1e-300; x < 700; x *= 1.07) {
        const expected = Math.expm1(sign * x);
        const relative = Math.abs(expMinusOne(sign * x) / expected - 1);
        expect(relative, String(sign * x)).to.be.at.most(5 * 2 ** -52);
      }
    }
  });

  it('has the correct limits', () => {
    expect([-Infinity, -750, -40, 0, 710, Infinity].map(expMinusOne)).to.deep.equal([
      -1,
      -1,
      -1,
      0,
      Infinity,
      Infinity,
    ]);
    expect(expMinusOne(Number.NaN)).to.be.NaN;
    expect(expMinusOne(5e-324)).to.equal(5e-324);
  });
});
