import { expect } from 'chai';
import fc from 'fast-check';
import { StrategyCache } from '#lib/quant/strategies/strategy-cache.ts';
import type { Strategy } from '#lib/quant/strategies/strategy.schema.ts';
import { dataOf, MONDAY, prepared, targetsAt, weekdaysFrom, type Closes } from './strategy-fixture.ts';

const T = 40;
const names = ['A', 'B', 'C', 'D', 'E'];
const schemes = [
  'equal',
  'rank',
  'signal',
  'inverse_volatility',
  'minimum_variance',
  'risk_budget',
  'hrp',
] as const;

/** Whole numbers for five symbols in 40 sessions. */
const market = fc.array(fc.array(fc.integer({ min: 50, max: 200 }), { minLength: T, maxLength: T }), {
  minLength: names.length,
  maxLength: names.length,
});
/** Prices from whole numbers. Multiples of 13 are sessions without a price, except for the first session. */
const closesOf = (rows: number[][]): Closes =>
  Object.fromEntries(
    names.map((name, k) => [
      name,
      rows[k]!.map((price, t) => (t === 0 ? 100 : price % 13 === 0 ? null : price)),
    ]),
  );

const strategyOf = (scheme: (typeof schemes)[number]): Strategy => ({
  universe: { kind: 'observed' },
  signals: { m: { expression: 'zscore(return(adj_close, 3)) + rank(sd(adj_close, 4)) / 10' } },
  select: { by: 'm', top: 3, where: 'm > -2 or lag(m, 1) > 0' },
  weight: { scheme, construct: { window: 10 } },
  constraints: { weight_max: 0.6 },
  schedule: { every: 'session' },
  overlay: { volatility_target: { annual: 0.2, window: 8 } },
});

const days = weekdaysFrom(MONDAY, T);

/** Returns the decisions of the sessions until a day. A day on which most prices are missing is not a session. */
const decisions = (strategy: Strategy, closes: Closes, until = days.at(-1)!) => {
  const own = prepared(strategy, dataOf(closes));
  return own.sessions
    .filter((day) => day <= until)
    .map((day, t) => [day, targetsAt(own, t, { A: 0.5, B: 0.1 })] as const);
};

describe('decisions of strategies', () => {
  for (const scheme of schemes) {
    it(`of the scheme ${scheme} do not depend on later prices`, () => {
      fc.assert(
        fc.property(market, market, fc.integer({ min: 12, max: T - 1 }), (rows, others, cut) => {
          const changed = rows.map((row, k) => row.map((price, t) => (t <= cut ? price : others[k]![t]!)));
          const before = decisions(strategyOf(scheme), closesOf(rows), days[cut]);
          expect(decisions(strategyOf(scheme), closesOf(changed), days[cut])).to.deep.equal(before);
        }),
        { numRuns: 20 },
      );
    });
  }

  it('do not depend on the order of the symbols in the data', () => {
    fc.assert(
      fc.property(market, fc.constantFrom(...schemes), (rows, scheme) => {
        const data = dataOf(closesOf(rows));
        const turned = { ...data, prices: data.prices.toReversed(), symbols: data.symbols.toReversed() };
        const [one, other] = [data, turned].map((each) => prepared(strategyOf(scheme), each));
        for (const t of one!.sessions.keys()) expect(targetsAt(other!, t)).to.deep.equal(targetsAt(one!, t));
      }),
      { numRuns: 15 },
    );
  });

  it('never exceed the limit of a weight or the gross exposure', () => {
    fc.assert(
      fc.property(market, fc.constantFrom(...schemes), (rows, scheme) => {
        for (const [, targets] of decisions(strategyOf(scheme), closesOf(rows))) {
          const weights = Object.values(targets ?? {}).filter((weight) => !Number.isNaN(weight));
          for (const weight of weights) expect(weight).to.be.within(0, 0.6 + 1e-12);
          expect(weights.reduce((sum, weight) => sum + weight, 0)).to.be.at.most(1 + 1e-9);
        }
      }),
      { numRuns: 15 },
    );
  });

  it('are the same with a cache that other strategies have used', () => {
    const closes = closesOf(
      names.map((_, k) => Array.from({ length: T }, (__, t) => 100 + ((t * (k + 3)) % 17))),
    );
    const data = dataOf(closes);
    const cache = new StrategyCache();
    prepared({ ...strategyOf('rank'), universe: { kind: 'observed', where: 'close > 95' } }, data, cache);
    prepared({ ...strategyOf('rank'), signals: { m: { expression: 'return(adj_close, 5)' } } }, data, cache);
    const shared = prepared(strategyOf('rank'), data, cache);
    const alone = prepared(strategyOf('rank'), data);
    for (let t = 0; t < T; t += 1) expect(targetsAt(shared, t)).to.deep.equal(targetsAt(alone, t));
  });
});
