import { expect } from 'chai';
import { pointsWithin } from '#lib/quant/optimizations/points-within.ts';
import { readSpaceCondition } from '#lib/quant/optimizations/space-condition.ts';
import { warmupOfSpace } from '#lib/quant/optimizations/space-warmup.ts';
import type { Strategy } from '#lib/quant/strategies/strategy.schema.ts';

const space = [
  { name: 'fast', values: [10, 20] },
  { name: 'scheme', values: ['equal', 'rank'] },
];

function within(text: string, points: (number | string)[][]): boolean[] {
  const read = readSpaceCondition(text, space);
  if (!read.ok) throw new Error(read.message);
  return pointsWithin(read.parsed, space, points);
}

describe('conditions over a space', () => {
  it('are evaluated at each point independently of the other points', () => {
    const points = [
      [10, 'equal'],
      [20, 'equal'],
    ];
    expect(within('fast * 2 > 25', points)).to.deep.equal([false, true]);
    expect(pointsWithin(null, space, points)).to.deep.equal([true, true]);
  });

  it('do not accept a word where the condition needs a number', () => {
    expect(within('scheme > 0', [[10, 'equal']])).to.deep.equal([false]);
  });

  it('refuse a name that is not an axis', () => {
    expect(readSpaceCondition('slow > 1', space)).to.include({ ok: false });
  });
});

describe('warmupOfSpace', () => {
  const strategy: Strategy = {
    universe: { kind: 'list', symbols: ['A', 'B'] },
    signals: { s: { expression: 'lag(adj_close, $skip) / lag(adj_close, $lookback) - 1' } },
    select: { by: 's', top: 1 },
    weight: { scheme: 'equal' },
    parameters: { skip: 1, lookback: 60 },
  };
  const start = { skip: 1, lookback: 60 };
  const reach = (values: number[]) => warmupOfSpace(strategy, start, [{ name: 'lookback', values }]);

  it('covers the longest lookback in a list, at any position', () => {
    expect(reach([250, 5]) - reach([100])).to.equal(150);
    expect(reach([250, 5])).to.equal(reach([5, 250]));
  });

  it('covers both ends of a range, and is never shorter than for the strategy without a search', () => {
    const range = warmupOfSpace(strategy, start, [{ name: 'lookback', low: 5, high: 250 }]);
    expect(range).to.equal(reach([250]));
    expect(reach([5])).to.equal(reach([60]));
  });

  it('ignores a value with which the strategy is not valid', () => {
    expect(reach([-1, 100_000])).to.equal(reach([60]));
  });
});
