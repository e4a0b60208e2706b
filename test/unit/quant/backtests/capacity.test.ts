import { expect } from 'chai';
import { halfCapacity } from '#lib/quant/backtests/capacity.ts';

const at = (scale: number, annual_return: number | null) => ({ scale, annual_return });

describe('halfCapacity', () => {
  it('interpolates the return linearly in the logarithm of the size', () => {
    // Half of 0.1 is the mean of 0.08 and 0.02, and the geometric mean of 1 and 9 is 3.
    expect(halfCapacity(0.1, [at(1, 0.08), at(9, 0.02)])).to.be.closeTo(3, 1e-9);
    expect(halfCapacity(0.1, [at(1, 0.1), at(10, 0.08), at(100, 0.04)])).to.be.closeTo(10 * 10 ** 0.75, 1e-8);
  });

  it('treats a value that falls to 0 as a total loss', () => {
    expect(halfCapacity(0.1, [at(1, 0.05 + 1.05), at(100, null)])).to.be.closeTo(10, 1e-9);
  });

  it('is the smallest size if half of the return is lost at that size, and null if half is never lost', () => {
    expect(halfCapacity(0.1, [at(1, 0.05), at(10, 0.01)])).to.equal(1);
    expect(halfCapacity(0.1, [at(1, 0.09), at(10, 0.06)])).to.equal(null);
  });

  it('is null without a return before costs', () => {
    expect(halfCapacity(0, [at(1, -0.1)])).to.equal(null);
    expect(halfCapacity(Number.NaN, [at(1, -0.1)])).to.equal(null);
  });
});
