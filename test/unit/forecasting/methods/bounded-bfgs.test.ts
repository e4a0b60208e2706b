import { expect } from 'chai';
import fc from 'fast-check';
import { minimizeWithin, type Smooth } from '#lib/forecasting/methods/bounded-bfgs.ts';

const rosenbrock = (): Smooth => {
  let [a, b] = [0, 0];
  return {
    value: (x) => {
      [a, b] = [x[0]!, x[1]!];
      return 100 * (b - a * a) ** 2 + (1 - a) ** 2;
    },
    gradient: (into) => {
      into[0] = -400 * a * (b - a * a) - 2 * (1 - a);
      into[1] = 200 * (b - a * a);
    },
  };
};
const free = { lower: [-Infinity, -Infinity], upper: [Infinity, Infinity], scale: [1, 1], tolerance: 1e-14 };

describe('minimizeWithin', () => {
  it('finds the minimum of the Rosenbrock function, for any scale of the variables', () => {
    for (const scale of [
      [1, 1],
      [0.1, 5],
    ]) {
      const { x, converged } = minimizeWithin(rosenbrock(), [-1.2, 1], { ...free, scale });
      expect(converged).to.equal(true);
      expect(x[0]).to.be.closeTo(1, 1e-6);
      expect(x[1]).to.be.closeTo(1, 1e-6);
    }
  });

  it('ends on a bound if the minimum is outside the bounds, and never evaluates outside the bounds', () => {
    const smooth = rosenbrock();
    const seen: number[] = [];
    const value = (x: Float64Array): number => {
      seen.push(x[0]!);
      return smooth.value(x);
    };
    const { x } = minimizeWithin({ ...smooth, value }, [0.2, 0.2], {
      ...free,
      lower: [0, 0],
      upper: [0.5, 1],
    });
    expect(Math.max(...seen)).to.be.at.most(0.5);
    expect([...x]).to.satisfy(([a, b]: [number, number]) => a === 0.5 && Math.abs(b - 0.25) < 1e-6);
  });

  it('finds the minimum of any quadratic function within its bounds', () => {
    const points = fc.array(fc.double({ min: -3, max: 3, noNaN: true }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(points, (lowest) => {
        const at = new Float64Array(lowest.length);
        const bowl: Smooth = {
          value: (x) => {
            at.set(x);
            return lowest.reduce((sum, to, i) => sum + (i + 1) * (x[i]! - to) * (x[i]! - to), 0);
          },
          gradient: (into) => {
            for (const [i, to] of lowest.entries()) into[i] = 2 * (i + 1) * (at[i]! - to);
          },
        };
        const all = (value: number): number[] => lowest.map(() => value);
        const { x } = minimizeWithin(bowl, all(0), {
          lower: all(-1),
          upper: all(1),
          scale: all(1),
          tolerance: 1e-13,
        });
        for (const [i, to] of lowest.entries())
          expect(x[i]).to.be.closeTo(Math.max(-1, Math.min(1, to)), 1e-5);
      }),
    );
  });

  it('shortens a step to a point at which the function is not finite', () => {
    let at = 0;
    const root: Smooth = {
      value: (x) => {
        at = x[0]!;
        return at <= 0 ? Infinity : at - Math.log(at);
      },
      gradient: (into) => {
        into[0] = 1 - 1 / at;
      },
    };
    const one = { lower: [-Infinity], upper: [Infinity], scale: [1], tolerance: 1e-12 };
    expect(minimizeWithin(root, [5], one).x[0]).to.be.closeTo(1, 1e-5);
    const outside = minimizeWithin(root, [-1], one);
    expect([...outside.x]).to.deep.equal([-1]);
    expect(outside.value).to.equal(Infinity);
  });
});
