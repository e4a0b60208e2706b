import { expect } from 'chai';
import { normalCdf } from '#lib/numerics/normal-cdf.ts';
import { normalDensity } from '#lib/numerics/normal-density.ts';

describe('normalDensity', () => {
  it('is symmetric and equals the slope of the distribution function', () => {
    for (let x = 0; x < 6; x += 0.37) {
      const slope = (normalCdf(-x + 1e-5) - normalCdf(-x - 1e-5)) / 2e-5;
      expect(normalDensity(x) / slope, String(x)).to.be.closeTo(1, 1e-8);
      expect(normalDensity(-x)).to.equal(normalDensity(x));
    }
  });

  it('equals published values, and is 0 far in the tails', () => {
    expect(normalDensity(0)).to.equal(0.3989422804014327);
    expect(normalDensity(1)).to.be.closeTo(0.24197072451914337, 1e-16); // Abramowitz and Stegun, table 26.1
    expect([-Infinity, 40].map(normalDensity)).to.deep.equal([0, 0]);
    expect(normalDensity(Number.NaN)).to.be.NaN;
  });
});
