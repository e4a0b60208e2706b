import { expect } from 'chai';
import { pointsOfRound } from '#lib/quant/optimizations/search-points.ts';
import type { SearchSpace } from '#lib/quant/optimizations/search-space.schema.ts';

const space: SearchSpace = { slow: { values: [20, 30] }, fast: { values: [10, 20, 30] } };
const grid = { space, where: null, method: 'grid', trials: 100, seed: 0 } as const;

describe('pointsOfRound', () => {
  it('returns a grid in one round, with the axes in the order of their names', () => {
    const swapped = { ...grid, space: { fast: space['fast']!, slow: space['slow']! } };
    const points = pointsOfRound(grid, 0, []);
    expect(points).to.have.length(6);
    expect(points).to.deep.equal(pointsOfRound(swapped, 0, []));
    expect(points!.slice(0, 2)).to.deep.equal([
      [10, 20],
      [10, 30],
    ]);
    expect(pointsOfRound(grid, 1, [])).to.equal(null);
  });

  it('returns only points that meet the condition', () => {
    expect(pointsOfRound({ ...grid, where: 'fast < slow' }, 0, [])).to.deep.equal([
      [10, 20],
      [10, 30],
      [20, 30],
    ]);
  });

  it('draws random points until enough meet the condition, and the same points for the same seed', () => {
    const wide: SearchSpace = { fast: { low: 0, high: 100 }, slow: { low: 0, high: 100 } };
    const random = { ...grid, space: wide, where: 'fast < slow', method: 'random', trials: 150 } as const;
    const points = pointsOfRound(random, 0, [])!;
    expect(points).to.have.length(150);
    expect(points.every(([fast, slow]) => fast! < slow!)).to.equal(true);
    expect(pointsOfRound(random, 0, [])).to.deep.equal(points);
    expect(pointsOfRound({ ...random, seed: 1 }, 0, [])).to.not.deep.equal(points);
    expect(pointsOfRound({ ...random, trials: 10 }, 0, [])).to.deep.equal(points.slice(0, 10));
  });

  it('gives up on random points if hardly any meets the condition', () => {
    const wide: SearchSpace = { fast: { low: 0, high: 1 } };
    const never = { ...grid, space: wide, where: 'fast > 2', method: 'random', trials: 2 } as const;
    expect(pointsOfRound(never, 0, [])).to.deep.equal([]);
  });

  it('moves each generation towards better points, and uses at most the given number of trials', () => {
    const line: SearchSpace = { x: { low: 0, high: 100 } };
    const search = { ...grid, space: line, method: 'cma_es', trials: 120 } as const;
    const objectives: number[] = [];
    const means: number[] = [];
    for (let round = 0; ; round += 1) {
      const points = pointsOfRound(search, round, objectives);
      if (points === null) break;
      const values = points.map(([x]) => x as number);
      means.push(values.reduce((sum, x) => sum + Math.abs(x - 90), 0) / values.length);
      objectives.push(...values.map((x) => -((x - 90) ** 2)));
    }
    expect(objectives.length).to.be.within(100, 120);
    expect(means.at(-1)).to.be.below(means[0]! / 5);
  });
});
