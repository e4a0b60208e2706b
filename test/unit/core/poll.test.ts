import { expect } from 'chai';
import { pollUntil } from '#lib/core/poll.ts';

describe('polling', () => {
  const counted = () => {
    let reads = 0;
    return async () => ++reads;
  };

  it('ends with the first finished result', async () => {
    expect(await pollUntil(counted(), (found) => found === 3, { everyMs: 1 })).to.equal(3);
    expect(await pollUntil(counted(), () => true, { everyMs: 60_000 })).to.equal(1);
  });

  it('ends with the latest result when the time limit has passed', async () => {
    expect(await pollUntil(counted(), () => false, { everyMs: 60_000, forMs: 0 })).to.equal(1);
  });
});
