import { expect } from 'chai';
import fc from 'fast-check';
import { drawRates, retryAfterS } from '#lib/limits/gcra.ts';
import { createLocalRates } from '#lib/limits/local-rates.ts';
import { quotasOf, ratesOf, WINDOW_S, type Rate } from '#lib/limits/policy.ts';
import { createSharedRates } from '#lib/limits/shared-rates.ts';
import { serviceClassLimits } from '#lib/database/base.ts';

const rate = (quota: number, name = 'application'): Rate => ({ name, key: name, quota });

/** Returns a function that draws from the rates at a time in seconds and keeps its state in memory. */
function counter(rates: Rate[]) {
  const fullAt = new Map<string, number>();
  return (now: number) => {
    const decision = drawRates(rates, (key) => fullAt.get(key), now);
    rates.forEach(({ key }, at) => fullAt.set(key, decision.fullAt[at]!));
    return decision;
  };
}

describe('the rate limit', () => {
  it('allows the whole quota at once, and then one request per (window / quota) seconds', () => {
    const draw = counter([rate(10)]);
    for (let left = 9; left >= 0; left--) {
      expect(draw(100)).to.deep.include({ allowed: true });
      expect(draw.length).to.equal(1);
      if (left === 0) break;
    }
    expect(draw(100).allowed).to.equal(false);
    expect(draw(100 + WINDOW_S / 10 - 0.001).allowed).to.equal(false);
    expect(draw(100 + WINDOW_S / 10 + 0.001).allowed).to.equal(true);
  });

  it('allows at least (quota / window) requests per second and at most twice the quota in a window', () => {
    const times = fc.array(fc.double({ min: 0, max: 5, noNaN: true }), { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), times, (quota, gaps) => {
        const draw = counter([rate(quota)]);
        const granted: number[] = [];
        let now = 1_000;
        for (const gap of gaps) {
          now += gap;
          if (draw(now).allowed) granted.push(now);
        }
        for (const start of granted) {
          const within = granted.filter((at) => at >= start && at < start + WINDOW_S).length;
          expect(within).to.be.at.most(2 * quota);
        }
        const steady = counter([rate(quota)]);
        for (let at = 0; at < 3 * quota; at++) {
          expect(steady(1_000 + (at * WINDOW_S) / quota).allowed).to.equal(true);
        }
      }),
    );
  });

  it('consumes from every applicable quota if the request is allowed, and from no quota otherwise', () => {
    const draw = counter([rate(100, 'application'), rate(1, 'write')]);
    expect(draw(0).states.map(({ remaining }) => remaining)).to.deep.equal([99, 0]);
    const refused = draw(0);
    expect(refused.allowed).to.equal(false);
    expect(refused.states.map(({ remaining }) => remaining)).to.deep.equal([99, 0]);
    expect(retryAfterS(refused)).to.equal(WINDOW_S);
    expect(draw(WINDOW_S).allowed).to.equal(true);
  });

  it('returns a wait in whole seconds after which the next request is allowed', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000 }), fc.integer({ min: 0, max: 59 }), (quota, at) => {
        const draw = counter([rate(quota)]);
        let decision = draw(at);
        while (decision.allowed) decision = draw(at);
        expect(draw(at + retryAfterS(decision) + 1e-6).allowed).to.equal(true);
      }),
      { numRuns: 50 },
    );
  });

  it('counts requests by application, class of operation and workspace', () => {
    const consumer = { application: 'app_1', workspace: 'wsp_1', environment: 'sandbox' };
    const quotas = quotasOf(serviceClassLimits).developer;
    expect(ratesOf(quotas, 'compute', consumer)).to.deep.equal([
      { name: 'application', key: 'application app_1 sandbox', quota: 600 },
      { name: 'compute', key: 'compute app_1 sandbox', quota: 30 },
      { name: 'workspace', key: 'workspace wsp_1 sandbox', quota: 2_400 },
    ]);
    expect(ratesOf(quotas, 'read', consumer).map(({ name }) => name)).to.deep.equal([
      'application',
      'workspace',
    ]);
  });

  it('counts locally, with a share of each quota, while the shared counter is unavailable', async () => {
    const [seen, clock] = [{ requested: 0, away: 0 }, { now: 100 }];
    const common = { take: () => (seen.requested++, Promise.reject(new Error('away'))) };
    const now = () => clock.now;
    const local = createLocalRates(0.5, now);
    const rates = createSharedRates({ common, local, now, onAway: () => seen.away++ });
    const answers = [];
    for (let count = 0; count < 12; count++) answers.push(await rates.take('slot', [rate(20)]));
    expect(answers.filter(({ allowed }) => allowed)).to.have.lengthOf(10);
    expect(answers[0]!.states[0]).to.include({ quota: 10, remaining: 9 });
    expect(seen).to.deep.equal({ requested: 1, away: 1 });
    clock.now = 101;
    await rates.take('slot', [rate(20)]);
    expect(seen).to.deep.equal({ requested: 2, away: 2 });
  });
});
