import { expect } from 'chai';
import { backoffStrategy, priorityOf } from '#lib/pipeline/queue.ts';

describe('backoffStrategy', () => {
  it('returns 500 ms for the first attempt, doubled for each further attempt, up to 15 s', () => {
    expect([1, 2, 3, 4, 5, 6, 7, 1_000].map(backoffStrategy)).to.deep.equal([
      500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000,
    ]);
  });
});

describe('priorityOf', () => {
  it('returns the tag, limited to the range of priorities of the queue', () => {
    expect([1, 2, 2_097_151].map(priorityOf)).to.deep.equal([1, 2, 2_097_151]);
    expect(priorityOf(0)).to.equal(1);
    expect(priorityOf(3_000_000)).to.equal(2_097_151);
  });
});
