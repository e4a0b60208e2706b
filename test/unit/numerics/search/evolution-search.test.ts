import { createHash } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { normalCdf } from '#lib/numerics/normal-cdf.ts';
import { ask, startEvolution, tell } from '#lib/numerics/search/evolution-search.ts';
import { evolutionTerms, populationSize } from '#lib/numerics/search/evolution-terms.ts';
import { withMargin } from '#lib/numerics/search/integer-margin.ts';
import type { Axis, Point, Space } from '#lib/numerics/search/space.ts';

type Objective = (x: number[]) => number;

const ranges = (n: number, extra: Partial<Axis> = {}): Space =>
  Array.from({ length: n }, (_, at): Axis => ({ name: `x${at}`, low: -5, high: 5, ...extra }));

const sphere: Objective = (x) => sum(x, (each, at) => (each - 0.3 * at) * (each - 0.3 * at));
const rosenbrock: Objective = (x) =>
  sum(x.slice(1), (next, at) => {
    const [bend, off] = [next - x[at]! * x[at]!, 1 - x[at]!];
    return 100 * bend * bend + off * off;
  });
/** An orthogonal matrix times the root of 30, and axes of 1, 10, 100 and 1,000. */
const turned = [
  [1, 2, 3, 4],
  [2, -1, 4, -3],
  [3, -4, -1, 2],
  [4, 3, -2, -1],
];
const ellipsoid: Objective = (x) =>
  sum([1, 100, 1e4, 1e6], (weight, k) => {
    const along = sum(turned[k]!, (each, j) => each * (x[j]! - 1));
    return (weight * along * along) / 30;
  });

describe('an evolution search', () => {
  it('minimises a sphere, the function of Rosenbrock and a rotated ellipsoid', () => {
    expect(minimise(ranges(5), sphere, { generations: 200 }).best).to.be.below(1e-15);
    expect(minimise(ranges(1), sphere, { generations: 100 }).best).to.be.below(1e-15);
    expect(minimise(ranges(2), rosenbrock, { generations: 300 }).best).to.be.below(1e-12);
    expect(minimise(ranges(5), rosenbrock, { generations: 900 }).best).to.be.below(1e-12);
    expect(minimise(ranges(4), ellipsoid, { generations: 300 }).best).to.be.below(1e-12);
  });

  it('finds a minimum in a corner and stays inside the ranges', () => {
    const { best, points } = minimise(ranges(4), (x) => sum(x, (each) => each), { generations: 150 });
    expect(best).to.be.closeTo(-20, 1e-3);
    for (const point of points) for (const each of point) expect(each).to.be.within(-5, 5);
  });

  it('finds the minimum over axes of integers, words and continuous ranges together', () => {
    const space: Space = [
      { name: 'lookback', low: 1, high: 200, integer: true },
      { name: 'window', low: 1, high: 1_000, integer: true, scale: 'log' },
      { name: 'band', low: 0, high: 1, step: 0.05 },
      { name: 'side', values: ['short', 'none', 'long'] },
      { name: 'x', low: -5, high: 5 },
      { name: 'fixed', low: 3, high: 3 },
    ];
    const { best, point } = minimise(
      space,
      ([lookback, window, band, , x], raw) => {
        const [a, b, c] = [(lookback! - 137) / 10, (window! - 12) / 5, 10 * (band! - 0.35)];
        return a * a + b * b + c * c + (x! - 1) * (x! - 1) + (raw[3] === 'long' ? 0 : 1);
      },
      { generations: 250 },
    );
    expect(best).to.be.below(1e-6);
    expect(point.slice(0, 4)).to.deep.equal([137, 12, 0.35, 'long']);
    expect(point[5]).to.equal(3);
  });

  it('gives the same bits in each run, even after the state of the search was stored and loaded', () => {
    const once = minimise(ranges(3), rosenbrock, { generations: 40 });
    const stored = minimise(ranges(3), rosenbrock, { generations: 40, isStored: true });
    expect(stored).to.deep.equal(once);
    expect(minimise(ranges(3), rosenbrock, { generations: 40, seed: 2 }).point).not.to.deep.equal(once.point);
    // The points of 40 generations must have the same bits on every platform.
    expect(createHash('sha256').update(JSON.stringify(once.points)).digest('hex')).to.equal(PINNED);
  });

  it('keeps finite numbers if the objective is constant, missing or infinite', () => {
    for (const value of [1, NaN, Infinity, -Infinity])
      for (const space of [
        ranges(1),
        ranges(3),
        [...ranges(1), ...ranges(1, { name: 'i', integer: true })],
      ]) {
        const { state } = minimise(space, () => value, { generations: 700 });
        expect(JSON.stringify(state)).not.to.include('null');
        for (const mean of state.mean) expect(mean).to.be.within(0, 1);
      }
  });

  it('keeps finite numbers long after it has converged', () => {
    for (const objective of [sphere, (x: number[]) => x[0]!]) {
      const { state } = minimise(ranges(1), objective, { generations: 2_500 });
      expect(JSON.stringify(state)).not.to.include('null');
    }
  });

  it('rejects a space of one point, and a wrong number of objectives', () => {
    expect(() => startEvolution([{ name: 'x', values: [1] }])).to.throw(RangeError);
    expect(() => startEvolution([])).to.throw(RangeError);
    const space = ranges(2);
    expect(() => tell(space, { seed: 1, state: startEvolution(space), values: [1] })).to.throw(RangeError);
    expect(() => ask(space, { seed: -1, state: startEvolution(space) })).to.throw(RangeError);
  });
});

describe('the constants of an evolution search', () => {
  it('have a population that is a multiple of 4, and weights that sum to 1', () => {
    expect([1, 2, 3, 5, 10, 40].map(populationSize)).to.deep.equal([4, 8, 8, 8, 12, 16]);
    for (const n of [1, 2, 10, 40]) {
      const { weights, muEff, c1, cMu } = evolutionTerms(n);
      expect(sum([...weights], (each) => each)).to.be.closeTo(1, 1e-15);
      expect(muEff).to.be.within(1, weights.length);
      expect(c1 + cMu).to.be.within(0, 1);
    }
  });
});

describe('the margin of a finite axis', () => {
  it('has the value of its example', () => {
    const found = withMargin({ mean: 0.5, deviation: 1e-6 }, { from: 0.4, to: 0.6 }, 0.1);
    expect(found.mean).to.be.closeTo(0.5, 1e-15);
    expect(found.deviation).to.be.closeTo(0.1 / 1.6448536, 1e-7);
  });

  it('gives the values outside the interval of the mean a probability of at least the margin', () => {
    const marginals = fc.record({
      mean: fc.double({ min: 0, max: 1, noNaN: true }),
      deviation: fc.double({ min: 1e-9, max: 1, noNaN: true }),
      place: fc.integer({ min: 0, max: 9 }),
      margin: fc.double({ min: 1e-3, max: 0.25, noNaN: true }),
    });
    fc.assert(
      fc.property(marginals, ({ mean, deviation, place, margin }) => {
        const part = { from: place / 10, to: (place + 1) / 10 };
        const within = part.from + mean * (part.to - part.from);
        const found = withMargin({ mean: within, deviation }, part, margin);
        const below = place > 0 ? normalCdf((part.from - found.mean) / found.deviation) : 0;
        const above = place < 9 ? normalCdf((found.mean - part.to) / found.deviation) : 0;
        expect(below + above).to.be.at.least(margin * (1 - 1e-6));
        if (place > 0 && place < 9) expect(Math.min(below, above)).to.be.at.least((margin / 2) * (1 - 1e-6));
      }),
    );
  });
});

function minimise(
  space: Space,
  objective: (x: number[], point: Point) => number,
  { generations, seed = 1, isStored = false }: { generations: number; seed?: number; isStored?: boolean },
) {
  let state = startEvolution(space);
  let [best, point]: [number, Point] = [Infinity, []];
  const points: Point[] = [];
  for (let generation = 0; generation < generations; generation += 1) {
    const drawn = ask(space, { seed, state });
    points.push(...drawn);
    const values = drawn.map((each) => objective(each.map(Number), each));
    for (const [at, value] of values.entries()) if (value < best) [best, point] = [value, drawn[at]!];
    state = tell(space, { seed, state, values });
    if (isStored) state = JSON.parse(JSON.stringify(state));
  }
  return { best, point, points, state };
}

function sum<T>(values: readonly T[], term: (value: T, at: number) => number): number {
  let total = 0;
  for (const [at, value] of values.entries()) total += term(value, at);
  return total;
}

/** SHA-256 of the points of the test above. */
const PINNED = 'fa6b669e3ba3d4c2a55bada3b8544eae0226d374468a83af2aa162df02e9c832';
