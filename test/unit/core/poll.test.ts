import { expect } from 'chai';
import { pollUntil } from '#lib/core/poll.ts';

describe('polling', () => {
  const counted = () => {
    let reads = 0;
    return async () => ++reads;
  };

  it('returns the first result that satisfies the condition', async () => {
    expect(await pollUntil(counted(), (found) => found === 3, { everyMs: 1 })).to.equal(3);
    expect(await pollUntil(counted(), () => true, { everyMs: 60_000 })).to.equal(1);
  });

  it('returns the latest result after the time limit has passed', async () => {
    expect(await pollUntil(counted(), () => false, { everyMs: 60_000, forMs: 0 })).to.equal(1);
  });
});
