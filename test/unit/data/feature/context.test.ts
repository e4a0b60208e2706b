import { expect } from 'chai';
import fc from 'fast-check';
import { addDays } from '#lib/core/date.ts';
import { contextStates, judgeContext, type ContextCell } from '#lib/data/feature-context.ts';

const AS_OF = '2020-06-30';

const cell = (feature: string, ageDays: number | null, budgetDays = 40): ContextCell => ({
  feature,
  entity: null,
  eventTime: ageDays === null ? null : `${addDays(AS_OF, -ageDays)}T00:00:00Z`,
  ageDays,
  budgetDays,
});

const judged = (cells: ContextCell[], tolerance = 31) => {
  const { state, offending } = judgeContext(cells, tolerance);
  return [state, ...offending.map(({ feature, reason }) => `${feature} ${reason}`)];
};

describe('the context of features', () => {
  it('is synchronised if no feature exceeds its maximum age or the maximum delay behind the newest feature', () => {
    expect(judged([cell('a', 0), cell('b', 31)])).to.deep.equal(['synchronised']);
    expect(judged([cell('a', 40), cell('b', 40)], 0)).to.deep.equal(['synchronised']);
  });

  it('has the worst fault of its features as its state, and reports the fault of each feature', () => {
    expect(judged([cell('a', 0), cell('b', 32)])).to.deep.equal(['unaligned', 'b unaligned']);
    expect(judged([cell('a', 0), cell('b', 41), cell('c', 33)])).to.deep.equal([
      'stale',
      'b stale',
      'c unaligned',
    ]);
    expect(judged([cell('a', null), cell('b', 41)])).to.deep.equal(['missing', 'a missing', 'b stale']);
    expect(judged([])).to.deep.equal(['missing']);
  });

  it('reports the age, the allowed limit and the delay of each feature that exceeds the limit', () => {
    expect(judgeContext([cell('a', 1), cell('b', 20)], 7).offending).to.deep.equal([
      {
        feature: 'b',
        entity: null,
        reason: 'unaligned',
        eventTime: '2020-06-10T00:00:00Z',
        ageDays: 20,
        allowedDays: 7,
        behindDays: 19,
      },
    ]);
  });

  it('never improves with one more feature, a shorter maximum age or a shorter maximum delay', () => {
    const any = fc.record({
      age: fc.option(fc.integer({ min: 0, max: 90 })),
      budget: fc.integer({ min: 0, max: 90 }),
    });
    const rank = (cells: ContextCell[], tolerance: number) =>
      contextStates.indexOf(judgeContext(cells, tolerance).state);
    fc.assert(
      fc.property(
        fc.array(any, { minLength: 1 }),
        any,
        fc.integer({ min: 1, max: 60 }),
        (given, more, days) => {
          const cells = given.map(({ age, budget }, at) => cell(`f${at}`, age, budget));
          const now = rank(cells, days);
          expect(rank([...cells, cell('more', more.age, more.budget)], days)).to.be.at.least(now);
          expect(rank(cells, days - 1)).to.be.at.least(now);
          const shorter = cells.map((each) => ({ ...each, budgetDays: each.budgetDays - 1 }));
          expect(rank(shorter, days)).to.be.at.least(now);
        },
      ),
    );
  });
});
