import { expect } from 'chai';
import { followList, waitOf } from '#api/console/browser/list-loads.ts';

/** A page that shows the runs of its last load. Each load takes until the test answers it. */
function pageOf(server: () => string[]) {
  const page = {
    shown: [] as string[],
    isInUse: false,
    loads: 0,
    waits: [] as number[],
    answer: (_waitMs?: number): void => {},
    goOn: (): void => {},
  };
  const follow = followList({
    shows: (uids) => page.shown.join() === uids.join(),
    isInUse: () => page.isInUse,
    load() {
      page.loads++;
      return new Promise((resolve) => {
        page.answer = (waitMs) => {
          if (waitMs === undefined) page.shown = server();
          resolve(waitMs);
        };
      });
    },
    wait(ms) {
      page.waits.push(ms);
      return new Promise((resolve) => (page.goOn = resolve));
    },
  });
  return { page, follow };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('the list of open runs in the browser', () => {
  it('is loaded once at a time, and once more for everything that changed meanwhile', async () => {
    let server = ['a'];
    const { page, follow } = pageOf(() => server);
    void follow(['a']);
    for (const uids of [['a', 'b'], ['b'], ['b', 'c']]) void follow(uids);
    await settled();
    expect(page.loads).to.equal(1);
    page.answer();
    await settled();
    expect([page.loads, page.waits], 'pauses after a load').to.deep.equal([1, [3_000]]);
    server = ['b', 'c'];
    page.goOn();
    await settled();
    expect(page.loads).to.equal(2);
    page.answer();
    await settled();
    page.goOn();
    await settled();
    expect([page.loads, page.shown]).to.deep.equal([2, ['b', 'c']]);
  });

  it('stays as it is while it is in use, and is then loaded once', async () => {
    const { page, follow } = pageOf(() => ['z']);
    page.isInUse = true;
    for (const uid of ['a', 'b', 'c', 'z']) void follow([uid]);
    await settled();
    expect(page.loads).to.equal(0);
    page.isInUse = false;
    for (let moves = 0; moves < 4; moves++) void follow();
    await settled();
    expect(page.loads).to.equal(1);
    page.answer();
    await settled();
    page.goOn();
    void follow();
    await settled();
    expect(page.loads).to.equal(1);
  });

  it('is loaded again after the time that the server names, and after a failed request', async () => {
    const { page, follow } = pageOf(() => ['a']);
    void follow(['a']);
    page.answer(20_000);
    await settled();
    expect([page.loads, page.waits]).to.deep.equal([1, [20_000]]);
    page.goOn();
    await settled();
    page.answer();
    await settled();
    expect([page.loads, page.shown]).to.deep.equal([2, ['a']]);

    let tries = 0;
    const waits: number[] = [];
    await followList({
      shows: () => false,
      isInUse: () => false,
      load: () =>
        ++tries === 1 ? Promise.reject(new TypeError('Failed to fetch')) : Promise.resolve(undefined),
      wait: async (ms) => void waits.push(ms),
    })(['a']);
    expect([tries, waits], 'is not loaded a third time for the same runs').to.deep.equal([2, [5_000, 3_000]]);
  });

  it('waits for a server that refuses for now, and for no other answer', () => {
    const answer = (status: number, headers = {}) => new Response(null, { status, headers });
    expect(waitOf(answer(429, { 'Retry-After': '7' }))).to.equal(7_000);
    expect(waitOf(answer(503))).to.equal(5_000);
    for (const status of [200, 401, 404]) expect(waitOf(answer(status)), String(status)).to.equal(undefined);
  });
});
