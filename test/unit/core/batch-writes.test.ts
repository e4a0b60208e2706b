import { expect } from 'chai';
import { batchWrites } from '#lib/core/batch-writes.ts';

type Item = { of: string; number: number };

/** Returns a write function whose writes end only when the test calls `end` or `fail`. */
function held() {
  const begun: string[] = [];
  const open: { end(): void; fail(): void }[] = [];
  const write = (items: readonly Item[]) =>
    new Promise<void>((resolve, reject) => {
      begun.push(items.map(({ of, number }) => `${of}${number}`).join(' '));
      open.push({ end: resolve, fail: () => reject(new Error(`not ${items.length}`)) });
    });
  const next = async () => {
    await new Promise(setImmediate);
    return open.shift()!;
  };
  return { begun, write, next };
}

describe('batched writes', () => {
  it('are combined, up to the limit, if they arrive while an earlier write runs', async () => {
    const { begun, write, next } = held();
    const put = batchWrites<Item>({ write, max: 2, keyOf: ({ of }) => of });
    const done: number[] = [];
    const all = [1, 2, 3, 4].map((number) => put({ of: 'a', number }).then(() => done.push(number)));
    (await next()).end();
    const second = await next();
    expect([begun, done]).to.deep.equal([['a1', 'a2 a3'], [1]]);
    second.end();
    (await next()).end();
    await Promise.all(all);
    expect([begun, done]).to.deep.equal([
      ['a1', 'a2 a3', 'a4'],
      [1, 2, 3, 4],
    ]);
    const later = put({ of: 'a', number: 5 });
    (await next()).end();
    await later;
  });

  it('of one key do not wait for writes of another key', async () => {
    const { begun, write, next } = held();
    const put = batchWrites<Item>({ write, max: 2, keyOf: ({ of }) => of });
    const both = [put({ of: 'a', number: 1 }), put({ of: 'b', number: 1 })];
    const first = await next();
    (await next()).end();
    await both[1];
    first.end();
    await both[0];
    expect(begun).to.deep.equal(['a1', 'b1']);
  });

  it('are retried individually after a batch fails, so that only the faulty write fails', async () => {
    const { begun, write, next } = held();
    const put = batchWrites<Item>({ write, max: 9 });
    const all = [1, 2, 3].map((number) =>
      put({ of: 'a', number }).then(
        () => 'written',
        (error: Error) => error.message,
      ),
    );
    (await next()).end();
    (await next()).fail();
    (await next()).fail();
    (await next()).end();
    expect(await Promise.all(all)).to.deep.equal(['written', 'not 1', 'written']);
    expect(begun).to.deep.equal(['a1', 'a2 a3', 'a2', 'a3']);
  });
});
