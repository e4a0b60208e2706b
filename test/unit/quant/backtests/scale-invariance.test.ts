import { expect } from 'chai';
import { simulateStrategy } from '#lib/quant/backtests/simulate-strategy.ts';
import { CAPACITY_SCALES } from '#lib/quant/backtests/backtest-limits.ts';
import { withScale } from '#lib/quant/backtests/strategy-sizes.ts';
import type { Strategy } from '#lib/quant/strategies/strategy.schema.ts';
import { dataOf, resolved, type Closes } from '../strategies/strategy-fixture.ts';

// Prices stay constant for some sessions, so that held weights equal their targets up to rounding.
const level = (start: number, at: number, swing: number) =>
  start * (1 + swing * Math.max(0, (at % 9) - 5) - 0.01 * Math.floor(at / 9));
const closes: Closes = Object.fromEntries(
  [29.9519, 66.03, 55.48, 17.2389].map((start, symbol) => [
    ['A', 'B', 'C', 'D'][symbol]!,
    Array.from({ length: 90 }, (_, at) => level(start, at, [0.031, -0.017, 0.011, 0.023][symbol]!)),
  ]),
);
closes['E'] = Array.from({ length: 90 }, (_, at) => (at % 10 < 5 ? 100 : 93));
closes['F'] = Array.from({ length: 90 }, (_, at) => (at % 10 < 5 ? 29 : 43.5));
const base: Strategy = {
  universe: { kind: 'list', symbols: ['A', 'B', 'C'] },
  weight: { scheme: 'equal' },
  schedule: { every: 'session', lag: 1 },
};
const cases: Record<string, Strategy> = {
  'equal weights': base,
  'a band that a weight meets exactly': {
    ...base,
    universe: { kind: 'list', symbols: ['F'] },
    weight: { scheme: 'fixed', fixed: { F: 0.5 } },
    schedule: { every: 'session', lag: 1, band: 0.1 },
    costs: { proportional_bps: 0 },
  },
  'a turnover limit that a sale of all positions meets exactly': {
    ...base,
    universe: { kind: 'list', symbols: ['A', 'B', 'C', 'D'] },
    signals: { m: { expression: 'return(adj_close, 2)' } },
    select: { by: 'm', top: 3, where: 'm >= 0' },
    constraints: { turnover_max: 1 },
  },
  'a drawdown stop that falling prices meet exactly': {
    ...base,
    universe: { kind: 'list', symbols: ['E'] },
    overlay: { stop: { drawdown: 0.07, stay_out: 3 } },
    costs: { proportional_bps: 0 },
  },
};

function simulated(strategy: Strategy, scale: number) {
  const rules = resolved(strategy);
  const data = dataOf(Object.fromEntries(rules.universe.symbols.map((symbol) => [symbol, closes[symbol]!])));
  const found = simulateStrategy(withScale(rules, scale), data, { detail: true });
  if (!found.ok) throw new Error(found.refusal.detail);
  return found.simulated.ledger;
}

describe('a backtest without minimum costs, whole shares or impact', () => {
  for (const [name, strategy] of Object.entries(cases)) {
    it(`gives the same returns at every size with ${name}`, () => {
      const one = simulated(strategy, 1);
      expect(one.orders.length).to.be.at.least(1);
      for (const scale of [...CAPACITY_SCALES, 7, 11, 13]) {
        const other = simulated(strategy, scale);
        const places = (orders: typeof one.orders) => orders.map(({ session, symbol }) => [session, symbol]);
        expect(places(other.orders), `orders at ${scale}`).to.deep.equal(places(one.orders));
        for (const [at, value] of one.value.entries())
          expect(other.value[at]! / scale).to.be.closeTo(value, 1e-11 * value);
        for (const { quantity } of other.holdings) expect(Math.min(...quantity)).to.be.at.least(0);
      }
    });
  }
});
