import { expect } from 'chai';
import { backoffStrategy, priorityOf } from '#lib/pipeline/queue.ts';

describe('backoffStrategy', () => {
  it('doubles from half a second to 15 s and stays there', () => {
    expect([1, 2, 3, 4, 5, 6, 7, 1_000].map(backoffStrategy)).to.deep.equal([
      500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000,
    ]);
  });
});

describe('priorityOf', () => {
  it('is the tag within the range of the queue', () => {
    expect([1, 2, 2_097_151].map(priorityOf)).to.deep.equal([1, 2, 2_097_151]);
    expect(priorityOf(0)).to.equal(1);
    expect(priorityOf(3_000_000)).to.equal(2_097_151);
  });
});
