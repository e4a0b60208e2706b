import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { UnderWay } from '#lib/core/under-way.ts';

/** So many pieces of work that are under way for somebody, and what ends one of them. */
function started(underWay: UnderWay, whom: string, count: number): (() => void)[] {
  return Array.from({ length: count }, () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    underWay.start(whom, () => promise);
    return resolve;
  });
}

describe('work that is under way', () => {
  it('is counted for each whom it is for, until it ends', async () => {
    const underWay = new UnderWay(5);
    const [end] = started(underWay, 'a', 1);
    started(underWay, 'b', 2);
    expect([underWay.size, underWay.room]).to.deep.equal([3, 2]);
    expect([...underWay.counts]).to.deep.equal([
      ['a', 1],
      ['b', 2],
    ]);
    end!();
    await underWay.someEnd();
    expect([underWay.size, underWay.room]).to.deep.equal([2, 3]);
    expect([...underWay.counts]).to.deep.equal([['b', 2]]);
  });

  it('is waited for until half of it has ended, or a moment after the first', async () => {
    const underWay = new UnderWay(9);
    const ends = started(underWay, 'a', 6);
    const half = underWay.someEnd().then(() => underWay.size);
    for (const end of ends.slice(0, 4)) {
      end();
      await Promise.resolve();
    }
    expect(await half).to.be.within(2, 3);
    const more = started(underWay, 'a', 6);
    let waited = false;
    const first = underWay.someEnd().then(() => (waited = true));
    await delay(20); // longer than a moment, which is not to begin before something has ended
    expect(waited).to.equal(false);
    more[0]!();
    await first;
  });
});
