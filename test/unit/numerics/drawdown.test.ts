import { expect } from 'chai';
import fc from 'fast-check';
import { compoundReturn, maxDrawdown } from '#lib/numerics/drawdown.ts';

const returns = fc.array(fc.double({ min: -0.9, max: 2, noNaN: true }), { maxLength: 60 });

describe('compoundReturn and maxDrawdown', () => {
  it('equal values computed by hand', () => {
    expect(compoundReturn([0.5, -0.5])).to.equal(-0.25);
    expect(maxDrawdown([0.5, -0.5, 0.1])).to.equal(-0.5);
    expect(maxDrawdown([-0.25, 0.5])).to.equal(-0.25);
    expect(maxDrawdown([-1, 5])).to.equal(-1);
    expect(maxDrawdown([0.1, 0.2])).to.equal(0);
    expect(compoundReturn([])).to.equal(0);
    expect(maxDrawdown([])).to.equal(0);
  });

  it('give the same drawdown as a comparison of every pair of an earlier and a later level', () => {
    fc.assert(
      fc.property(returns, (values) => {
        const levels = [1];
        for (const value of values) levels.push(levels.at(-1)! * (1 + value));
        let deepest = 0;
        levels.forEach((later, t) => {
          for (const earlier of levels.slice(0, t)) deepest = Math.min(deepest, later / earlier - 1);
        });
        expect(maxDrawdown(values)).to.equal(deepest);
        expect(compoundReturn(values)).to.equal(levels.at(-1)! - 1);
      }),
    );
  });
});
