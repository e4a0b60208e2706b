import { expect } from 'chai';
import fc from 'fast-check';
import { createDrawnRates } from '#lib/limits/drawn-rates.ts';
import { WINDOW_S, type Rate, type Rates } from '#lib/limits/policy.ts';

const rate = (quota: number, name = 'application'): Rate => ({ name, key: name, quota });

/** A shared counter in memory, with its clock. `processes` are counters that draw on it. */
function stage(quotas: readonly Rate[], processes = 1, sharesMax?: number) {
  const fullAt = new Map<string, number>();
  const state = { now: 0, draws: 0 };
  const open = () =>
    createDrawnRates({
      now: () => state.now,
      sharesMax,
      async draw(_slot, rates) {
        state.draws += 1;
        return rates.map(({ key, quota, wanted }) => {
          const before = Math.max(fullAt.get(key) ?? 0, state.now);
          const after = (count: number) => before + (count * WINDOW_S) / quota;
          const count = [wanted, 1].find((each) => after(each) <= state.now + WINDOW_S + 1e-9) ?? 0;
          fullAt.set(key, after(count));
          return { count, fullInS: after(count) - state.now };
        });
      },
    });
  const counters: Rates[] = Array.from({ length: processes }, open);
  const take = async (process = 0, rates = quotas) => counters[process]!.take('slot', rates);
  return { state, take };
}

describe('requests drawn from a shared quota', () => {
  it('allow the whole quota to one process, and then refuse', async () => {
    for (const quota of [1, 6, 99, 100, 600, 6_000]) {
      const { take } = stage([rate(quota)]);
      for (let count = 0; count < quota; count++) {
        const { allowed, states } = await take();
        expect([allowed, states[0]!.remaining], `${count} of ${quota}`).to.deep.equal([
          true,
          quota - count - 1,
        ]);
      }
      expect((await take()).allowed).to.equal(false);
    }
  });

  it('go to the shared counter once for a fiftieth of a large quota, and for each request of a small one', async () => {
    const [large, small] = [stage([rate(6_000)]), stage([rate(99)])];
    for (let count = 0; count < 99; count++) await Promise.all([large.take(), small.take()]);
    expect([large.state.draws, small.state.draws]).to.deep.equal([1, 99]);
  });

  it('exceed the quota of a window by at most a fiftieth for each process, whatever the order of requests', async () => {
    const moves = fc.array(
      fc.record({ process: fc.nat(2), afterS: fc.double({ min: 0, max: 2, noNaN: true }) }),
      {
        maxLength: 400,
      },
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(10, 100, 150), moves, async (quota, all) => {
        const { state, take } = stage([rate(quota)], 3);
        const allowedAt: number[] = [];
        for (const { process, afterS } of all) {
          state.now += afterS;
          if ((await take(process)).allowed) allowedAt.push(state.now);
        }
        for (const start of allowedAt) {
          const inWindow = allowedAt.filter((at) => at >= start && at < start + WINDOW_S).length;
          // A full quota can be used at once and refills in the same window.
          expect(inWindow).to.be.at.most(2 * quota + 3 * Math.max(1, quota / 50));
        }
      }),
      { numRuns: 50 },
    );
  });

  it('take nothing from a quota if another quota is used up', async () => {
    const { take } = stage([rate(600), rate(1, 'compute')]);
    expect((await take()).states.map(({ remaining }) => remaining)).to.deep.equal([599, 0]);
    const refused = await take();
    expect([refused.allowed, ...refused.states.map(({ remaining }) => remaining)]).to.deep.equal([
      false,
      599,
      0,
    ]);
  });

  it('refuse a request only for its own quotas if others draw at the same time', async () => {
    const { take } = stage([]);
    const [shared, usedUp, other] = [rate(600, 'workspace'), rate(1, 'a'), rate(600, 'b')];
    await take(0, [usedUp]);
    const [first, second] = await Promise.all([take(0, [usedUp, shared]), take(0, [other, shared])]);
    expect([first.allowed, second.allowed]).to.deep.equal([false, true]);
  });

  it('are forgotten after one window without use', async () => {
    const { state, take } = stage([rate(6_000)]);
    await take();
    state.now = WINDOW_S;
    await take();
    expect(state.draws).to.equal(2);
  });

  it('share one draw among requests at the same time', async () => {
    const { state, take } = stage([rate(6_000)]);
    await Promise.all(Array.from({ length: 100 }, () => take()));
    expect(state.draws).to.equal(1);
  });

  it('are not given up for quotas that are used up', async () => {
    const { state, take } = stage([], 1, 10);
    const large = [rate(6_000, 'large')];
    await take(0, large);
    for (let at = 0; at < 100; at++) await take(0, [rate(1, `small ${at}`)]);
    const before = state.draws;
    await take(0, large);
    expect(state.draws).to.equal(before);
  });

  it('give every caller the whole quota, however many callers there are', async () => {
    const { take } = stage([], 1, 10);
    const callers = Array.from({ length: 100 }, (_caller, at) => [rate(100, `caller ${at}`)]);
    const allowed = callers.map(() => 0);
    for (let round = 0; round < 100; round++)
      for (const [at, rates] of callers.entries()) if ((await take(0, rates)).allowed) allowed[at]! += 1;
    expect(new Set(allowed)).to.deep.equal(new Set([100]));
    expect((await take(0, callers[0])).allowed).to.equal(false);
  });

  it('give every caller the whole quota if all of them come at the same time', async () => {
    const { take } = stage([], 1, 10);
    const callers = Array.from({ length: 20 }, (_caller, at) => [rate(100, `caller ${at}`)]);
    const allowed = callers.map(() => 0);
    for (let round = 0; round < 100; round++)
      await Promise.all(
        callers.map(async (rates, at) => {
          if ((await take(0, rates)).allowed) allowed[at]! += 1;
        }),
      );
    expect(new Set(allowed)).to.deep.equal(new Set([100]));
  });

  it('make room for others when their window is over', async () => {
    const { state, take } = stage([], 1, 10);
    const callers = Array.from({ length: 10 }, (_caller, at) => [rate(6_000, `caller ${at}`)]);
    for (const rates of callers) await take(0, rates);
    state.now = WINDOW_S;
    const later = [rate(6_000, 'later')];
    for (let count = 0; count < 3; count++) await take(0, later);
    // The first draw forgets what is out of date, and the second draws a part again.
    expect(state.draws).to.equal(12);
  });

  for (const count of [-1, Number.NaN])
    it(`allow nothing if the shared counter answers ${count}`, async () => {
      const rates = createDrawnRates({
        now: () => 0,
        draw: async (_slot, drawn) => drawn.map(() => ({ count, fullInS: WINDOW_S })),
      });
      expect((await rates.take('slot', [rate(100)])).allowed).to.equal(false);
    });
});
