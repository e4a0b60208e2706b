import { expect } from 'chai';
import fc from 'fast-check';
import { nelderMead } from '#lib/forecasting/methods/nelder-mead.ts';

const rosenbrock = (x: Float64Array): number => 100 * (x[1]! - x[0]! * x[0]!) ** 2 + (1 - x[0]!) ** 2;

describe('nelderMead', () => {
  it('finds the minimum of the Rosenbrock function', () => {
    const found = nelderMead(rosenbrock, [-1.2, 1], { tolerance: 1e-14, iterations: 1000 });
    expect(found.converged).to.equal(true);
    expect(found.x[0]).to.be.closeTo(1, 1e-5);
    expect(found.x[1]).to.be.closeTo(1, 1e-5);
  });

  it('stays within its bounds and finds a minimum on a bound', () => {
    const seen: number[] = [];
    const found = nelderMead(
      (x) => {
        seen.push(x[0]!);
        return rosenbrock(x);
      },
      [0.2, 0.2],
      { lower: [0, 0], upper: [0.5, 1], tolerance: 1e-14 },
    );
    expect(Math.max(...seen)).to.be.at.most(0.5);
    expect(Math.min(...seen)).to.be.at.least(0);
    expect(found.x[0]).to.be.closeTo(0.5, 1e-6);
    expect(found.x[1]).to.be.closeTo(0.25, 1e-5);
  });

  it('finds the minimum of quadratic functions of 1 to 5 variables', () => {
    const points = fc.array(fc.double({ min: -10, max: 10, noNaN: true }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(points, (lowest) => {
        const bowl = (x: Float64Array): number =>
          lowest.reduce((sum, at, index) => sum + (index + 1) * (x[index]! - at) ** 2, 0);
        const start = lowest.map(() => 0.5);
        const { x } = nelderMead(bowl, start, { tolerance: 1e-15, iterations: 5000 });
        for (const [index, at] of lowest.entries()) expect(x[index]).to.be.closeTo(at, 1e-3);
      }),
      { numRuns: 50 },
    );
  });

  it('avoids points at which the function is NaN', () => {
    const found = nelderMead((x) => (x[0]! < 0 ? Number.NaN : (x[0]! - 0.1) ** 2), [2]);
    expect(found.x[0]).to.be.closeTo(0.1, 1e-3);
    const nowhere = nelderMead(() => Number.NaN, [1, 2]);
    expect([...nowhere.x]).to.deep.equal([1, 2]);
    expect(nowhere.value).to.equal(Infinity);
  });

  it('ends after the maximum number of iterations', () => {
    const found = nelderMead(rosenbrock, [-1.2, 1], { iterations: 7 });
    expect(found.iterations).to.equal(7);
    expect(found.converged).to.equal(false);
  });

  it('returns the value of the function at once if there are no variables', () => {
    const found = nelderMead(() => 4, []);
    expect(found.value).to.equal(4);
    expect(found.converged).to.equal(true);
  });

  it('finds a minimum inside the bounds if the start is on the upper bound', () => {
    const found = nelderMead((x) => (x[0]! - 0.3) ** 2, [1], { lower: [0], upper: [1], tolerance: 1e-14 });
    expect(found.x[0]).to.be.closeTo(0.3, 1e-6);
  });
});
