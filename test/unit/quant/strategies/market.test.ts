import { expect } from 'chai';
import type { StrategyAction } from '#lib/quant/strategies/strategy-data.ts';
import type { Strategy } from '#lib/quant/strategies/strategy.schema.ts';
import { limitWeights } from '#lib/quant/strategies/limit-weights.ts';
import { dataOf, listOf, prepared, weekdaysFrom, MONDAY, type Closes } from './strategy-fixture.ts';

const days = weekdaysFrom(MONDAY, 20);
const action = (symbol: string, day: string, more: Partial<StrategyAction>): StrategyAction => ({
  symbol,
  exDate: day,
  type: 'x',
  amount: null,
  ratio: null,
  ...more,
});
const strategyOn = (closes: Closes, more: Partial<Strategy> = {}): Strategy => ({
  universe: listOf(closes),
  weight: { scheme: 'equal' },
  ...more,
});

describe('the market of a strategy', () => {
  it('has quoted prices, and the corporate actions after its first session, splits before dividends', () => {
    const closes: Closes = { A: [10, 10, 5, 5], B: [1, 1, 1, 1] };
    const actions = [
      action('A', days[0]!, { amount: 9 }),
      action('A', days[2]!, { amount: 1 }),
      action('A', days[2]!, { ratio: 2 }),
      action('B', '2020-01-08', { amount: 0.5 }),
    ];
    const { market, mode } = prepared(strategyOn(closes), dataOf(closes, { actions }));
    expect(mode).to.equal('quoted');
    expect(Array.from(market.close)).to.deep.equal([10, 1, 10, 1, 5, 1, 5, 1]);
    expect(market.actions).to.deep.equal([
      { session: 2, symbol: 0, type: 'split', ratio: 2 },
      { session: 2, symbol: 0, type: 'dividend', amount: 1 },
      { session: 2, symbol: 1, type: 'dividend', amount: 0.5 },
    ]);
    expect([market.volume, market.volatility]).to.deep.equal([null, null]);
  });

  it('begins on the first decision day, and moves an action of a day without a session to the next session', () => {
    const closes: Closes = { A: [10, 10, null, 5, 5] };
    const actions = [action('A', days[2]!, { ratio: 2 })];
    const { market, sessions, first } = prepared(
      strategyOn(closes),
      dataOf(closes, { actions, from: days[1]! }),
    );
    expect([sessions, first]).to.deep.equal([[days[1], days[3], days[4]], 1]);
    expect(market.actions).to.deep.equal([{ session: 1, symbol: 0, type: 'split', ratio: 2 }]);
  });

  it('scales the volumes of total return indices, so that traded amounts equal those at quoted prices', () => {
    const closes: Closes = { A: [1, 1] };
    const data = dataOf(closes);
    const bars = `${days[0]} 9 - - 10 10 100,${days[1]} 4 - - 5 10 200`;
    const strategy = strategyOn(closes, { execution: { price: 'open', participation_max: 0.1 } });
    const { market } = prepared(strategy, { ...data, prices: [{ ...data.prices[0]!, bars }] });
    expect(Array.from(market.close)).to.deep.equal([10, 10]);
    expect(Array.from(market.trade)).to.deep.equal([9, 8]);
    expect(Array.from(market.volume!)).to.deep.equal([100, 100]);
  });

  it('ends a symbol in the session after its last price', () => {
    const long = Array.from({ length: 12 }, () => 1);
    const closes: Closes = { A: long, B: long, C: long.slice(0, 4), D: long.slice(0, 9) };
    const { market } = prepared(strategyOn(closes, { execution: { delisting_loss: 0.3 } }), dataOf(closes));
    // D lacks prices in the last three sessions only, which may be a late delivery.
    expect(market.actions).to.deep.equal([{ session: 4, symbol: 2, type: 'exit', loss: 0.3 }]);
    const gone = {
      symbol: 'D',
      observedOn: days[9]!,
      since: days[9]!,
      sector: null,
      status: 'delisted',
      currency: null,
    };
    const { market: known } = prepared(strategyOn(closes), dataOf(closes, { instruments: [gone] }));
    expect(known.actions).to.deep.equal([
      { session: 4, symbol: 2, type: 'exit', loss: 0 },
      { session: 9, symbol: 3, type: 'exit', loss: 0 },
    ]);
  });

  it('has the volatility of the sessions before each trade', () => {
    const closes: Closes = { A: [100, 110, 99, 99, 120] };
    const costs = { impact: { kind: 'square_root', window: 2 } } as const;
    const { market } = prepared(strategyOn(closes, { costs }), dataOf(closes));
    // Returns 0.1 and -0.1 have the standard deviation 0.1 times the root of 2.
    expect(market.volatility!.slice(0, 3).every(Number.isNaN)).to.equal(true);
    expect(market.volatility![3]).to.be.closeTo(0.1 * Math.SQRT2, 1e-15);
  });
});

describe('the terms of a strategy', () => {
  it('have rates as fractions, and amounts in minor units of the currency', () => {
    const closes: Closes = { A: [1, 1] };
    const strategy = strategyOn(closes, {
      costs: {
        proportional_bps: 25,
        half_spread_bps: 5,
        borrow_bps: 100,
        buy_tax_bps: 50,
        impact: { kind: 'square_root', y: 0.5 },
      },
      cash: { initial_minor: 1_000_000, currency: 'JPY', credit_max: 0.5, rate: 0.0252 },
      constraints: { cash_min: 0.02 },
      schedule: { lag: 2 },
      execution: { size_at: 'decision', whole_shares: true },
    });
    const { terms } = prepared(strategy, dataOf(closes));
    expect(terms).to.deep.include({
      initial: 1_000_000,
      creditMax: 500_000,
      cashMin: 0.02,
      lag: 2,
      sizeAtDecision: true,
      wholeShares: true,
      proportional: 0.0025,
      halfSpread: 0.0005,
      borrow: 0.01,
      buyTax: 0.005,
      impact: 0.5,
      sessionsPerYear: 252,
    });
    expect(Array.from(terms.cashRate)).to.deep.equal([0.0252 / 252, 0.0252 / 252]);
  });

  it('use the interest rate of a series that was known at the end of the previous session', () => {
    const closes: Closes = { A: [1, 1, 1, 1] };
    const rates = [
      { observedOn: '2019-12-01', knownOn: days[0]!, value: 2.52 },
      { observedOn: '2020-01-01', knownOn: days[1]!, value: 5.04 },
      { observedOn: '2019-11-01', knownOn: days[2]!, value: 99 },
    ];
    const { terms, warnings } = prepared(
      strategyOn(closes, { cash: { rate: 'GS10' } }),
      dataOf(closes, { rates }),
    );
    expect(Array.from(terms.cashRate, (rate) => Math.round(rate * 252 * 1e6) / 1e6)).to.deep.equal([
      0, 0.0252, 0.0504, 0.0504,
    ]);
    expect(warnings.map(({ code }) => code)).to.not.include('cash_rate_unknown');
  });
});

describe('limits of weights', () => {
  const limit = (weights: number[], weightMax: number, groups: { members: number[]; max: number }[] = []) =>
    Array.from(
      limitWeights(Float64Array.from(weights), { weightMax, groups }),
      (weight) => Math.round(weight * 1e9) / 1e9,
    );

  it('give the excess of a symbol to the others in proportion to their weights', () => {
    expect(limit([0.6, 0.3, 0.1], 0.5)).to.deep.equal([0.5, 0.375, 0.125]);
    expect(limit([0.6, 0.3, 0.1], 0.4)).to.deep.equal([0.4, 0.4, 0.2]);
  });

  it('leave the rest in cash if every symbol is at its limit', () => {
    expect(limit([0.6, 0.4], 0.3)).to.deep.equal([0.3, 0.3]);
    expect(limit([0, 0], 0.3)).to.deep.equal([0, 0]);
  });

  it('reduce a group to its limit, and give the excess to symbols outside', () => {
    expect(limit([0.5, 0.3, 0.2], 1, [{ members: [0, 1], max: 0.4 }])).to.deep.equal([0.25, 0.15, 0.6]);
    expect(limit([0.5, 0.5], 1, [{ members: [0, 1], max: 0.4 }])).to.deep.equal([0.2, 0.2]);
  });

  it('limit long and short positions separately', () => {
    expect(limit([0.8, 0.2, -0.7, -0.3], 0.5)).to.deep.equal([0.5, 0.5, -0.5, -0.5]);
  });
});
