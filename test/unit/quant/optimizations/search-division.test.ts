import { expect } from 'chai';
import type { OptimizationInput } from '#lib/quant/optimizations/optimization-input.schema.ts';
import { divideSearch } from '#lib/quant/optimizations/search-division.ts';
import type { SearchSpace } from '#lib/quant/optimizations/search-space.schema.ts';

const NONE = new Float64Array(0);
const axis = (values: number) => ({ low: 1, high: values, step: 1 });

/** Returns the first trial and the number of trials of each part of a grid. */
function partsOf(space: SearchSpace, where: string | null = null): { first: number; count: number }[] {
  // The division of a grid reads only these members of the input.
  const input = { space, where, method: 'grid', trials: 10_000, seed: 0 } as OptimizationInput;
  return divideSearch(input, 0, NONE)!.map(({ first, count }) => ({ first, count }));
}

describe('divideSearch', () => {
  it('keeps the trials that differ only in the last axis of a grid in one part', () => {
    const parts = partsOf({ lookback: axis(50), top: axis(20) });
    expect(parts).to.have.length(29);
    expect(parts.every(({ first, count }) => first % 20 === 0 && count % 20 === 0)).to.equal(true);
  });

  it('halves the last four parts, so that the workers end together', () => {
    const counts = partsOf({ lookback: axis(50), top: axis(20) }).map(({ count }) => count);
    expect(counts).to.deep.equal([...Array<number>(21).fill(40), ...Array<number>(8).fill(20)]);
  });

  it('divides a last axis that is longer than two parts, and a grid with a condition, in equal parts', () => {
    expect(partsOf({ a: axis(5), b: axis(200) })).to.have.length(32);
    expect(partsOf({ lookback: axis(50), top: axis(20) }, 'top < 11')[0]).to.deep.equal({
      first: 0,
      count: 18,
    });
  });

  it('has every trial in exactly one part, and at most 32 parts', () => {
    for (const [one, other] of [
      [2, 2],
      [7, 13],
      [33, 31],
      [100, 100],
    ] as const) {
      const parts = partsOf({ a: axis(one), b: axis(other) });
      let next = 0;
      for (const { first, count } of parts) {
        expect(first).to.equal(next);
        next += count;
      }
      expect(next).to.equal(one * other);
      expect(parts.length).to.be.at.most(32);
    }
  });
});
