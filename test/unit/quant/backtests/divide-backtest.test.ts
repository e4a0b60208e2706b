import { expect } from 'chai';
import type { BacktestInput } from '#lib/quant/backtests/backtest-input.schema.ts';
import {
  backtestPart,
  curvesOf,
  divideBacktest,
  furtherStrategies,
  isBacktestDivided,
} from '#lib/quant/backtests/divide-backtest.ts';
import { runBacktest } from '#lib/quant/backtests/run-backtest.ts';
import { resolveStrategy } from '#lib/quant/strategies/resolve-strategy.ts';
import type { Strategy } from '#lib/quant/strategies/strategy.schema.ts';
import { dataOf, MONDAY, weekdaysFrom } from '../strategies/strategy-fixture.ts';

const days = weekdaysFrom(MONDAY, 90);
const data = dataOf({
  A: Array.from({ length: 90 }, (_, t) => 50 + t / 2 - (t % 4)),
  B: Array.from({ length: 90 }, (_, t) => 40 + (t % 6)),
  C: Array.from({ length: 90 }, (_, t) => 60 - t / 3 + (t % 5)),
});
const momentum: Strategy = {
  universe: { kind: 'list', symbols: ['A', 'B', 'C'] },
  signals: { m: { expression: 'return(adj_close, $days)' } },
  select: { by: 'm', top: 1 },
  weight: { scheme: 'equal' },
  schedule: { every: 'week' },
  costs: { impact: { kind: 'square_root' } },
  parameters: { days: 5 },
};

function inputWith(variants: readonly number[], capacity: boolean): BacktestInput {
  const rulesOf = (parameters: Record<string, number>) => {
    const found = resolveStrategy(momentum, parameters);
    if (!found.ok) throw new Error(JSON.stringify(found.faults));
    return found.strategy;
  };
  return {
    family: '0'.repeat(64),
    strategy: rulesOf({ days: 5 }),
    parameters: { days: 5 },
    variants: variants.map((each) => ({ parameters: { days: each }, strategy: rulesOf({ days: each }) })),
    features: [],
    from: days[0]!,
    to: days.at(-1)!,
    as_of: days.at(-1)!,
    benchmark: null,
    periods_per_year: 252,
    capacity,
    trials: { declared: 0, counted: 0, measured: 0, sharpe_sum: 0, sharpe_square_sum: 0 },
    seed: 0,
  };
}

const control = { progress: () => {} };

/** Computes a backtest from its parts, as workers do. */
function divided(input: BacktestInput) {
  const numbers = divideBacktest(input, 0)!.flatMap((part) => {
    const computed = backtestPart(input, data, { part, ...control });
    if (!(computed instanceof Float64Array)) throw new Error(computed.refusal.detail);
    return [...computed];
  });
  const curves = curvesOf(input, Float64Array.from(numbers));
  expect(curves).to.have.length(furtherStrategies(input).length);
  return runBacktest(input, { data, benchmark: null }, control, curves);
}

describe('a backtest that is divided among workers', () => {
  for (const capacity of [false, true])
    it(`has the same result as in one thread, ${capacity ? 'with' : 'without'} its capacity`, () => {
      const input = inputWith([3, 10, 20], capacity);
      const whole = runBacktest(input, { data, benchmark: null }, control);
      expect(whole.ok && whole.output.result.variants).to.have.length(3);
      expect(divided(input)).to.deep.equal(whole);
    });

  it('has one part for each variant, and one part for all sizes', () => {
    const sizes = furtherStrategies(inputWith([], true)).length;
    expect(divideBacktest(inputWith([3, 10], true), 0)).to.deep.equal([
      { round: 0, first: 0, count: 1 },
      { round: 0, first: 1, count: 1 },
      { round: 0, first: 2, count: sizes },
    ]);
    expect(divideBacktest(inputWith([3, 10], true), 1)).to.equal(null);
  });

  it('is divided only if it has variants and many prices', () => {
    const long = { from: '1990-01-01', to: '2019-12-31' };
    const symbols = Array.from({ length: 200 }, (_, at) => `S${at}`);
    const large = (variants: readonly number[]) => {
      const input = { ...inputWith(variants, true), ...long };
      return { ...input, strategy: { ...input.strategy, universe: { ...input.strategy.universe, symbols } } };
    };
    expect(isBacktestDivided(large([3, 10]))).to.equal(true);
    expect(isBacktestDivided(large([]))).to.equal(false);
    expect(divideBacktest(large([]), 0)).to.equal(null);
    expect(isBacktestDivided(inputWith([3, 10], true))).to.equal(false);
  });
});
