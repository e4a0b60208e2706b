import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { TaskPool } from '#lib/core/task-pool.ts';

/** Starts tasks for one key. Returns a function for each task. The function ends the task. */
function started(pending: TaskPool, whom: string, count: number): (() => void)[] {
  return Array.from({ length: count }, () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    pending.start(whom, () => promise);
    return resolve;
  });
}

describe('the tasks of a task pool', () => {
  it('are counted for each key until they end', async () => {
    const pending = new TaskPool(5);
    const [end] = started(pending, 'a', 1);
    started(pending, 'b', 2);
    expect([pending.size, pending.room]).to.deep.equal([3, 2]);
    expect([...pending.counts]).to.deep.equal([
      ['a', 1],
      ['b', 2],
    ]);
    end!();
    await pending.someEnd();
    expect([pending.size, pending.room]).to.deep.equal([2, 3]);
    expect([...pending.counts]).to.deep.equal([['b', 2]]);
  });

  it('are awaited until half of them have ended, or until shortly after the first has ended', async () => {
    const pending = new TaskPool(9);
    const ends = started(pending, 'a', 6);
    const half = pending.someEnd().then(() => pending.size);
    for (const end of ends.slice(0, 4)) {
      end();
      await Promise.resolve();
    }
    expect(await half).to.be.within(2, 3);
    const more = started(pending, 'a', 6);
    let waited = false;
    const first = pending.someEnd().then(() => (waited = true));
    // The delay is longer than the short wait after the first end. No task has ended yet, so `first` must
    // still be pending.
    await delay(20);
    expect(waited).to.equal(false);
    more[0]!();
    await first;
  });
});
