import { standardDeviation } from '#lib/numerics/descriptive.ts';
import { backtestOverfitting } from '#lib/numerics/overfitting/backtest-overfitting.ts';
import { blockSums } from '#lib/numerics/overfitting/block-sums.ts';
import { deflatedSharpe } from '#lib/numerics/overfitting/deflated-sharpe.ts';
import { probabilisticSharpe } from '#lib/numerics/risk/probabilistic-sharpe.ts';
import { sharpeRatio } from '#lib/numerics/risk/sharpe-ratio.ts';
import { asList, asMembers, asNumber, type Members } from './golden-file.ts';
import type { PriceTable } from './price-table.ts';
import type { Tally } from './report.ts';

const TOLERANCE = 1e-9;
const HELD = 5;
const FIRST = 252;

/** Compares the section `overfitting`: twelve momentum strategies that hold the best five stocks for a day. */
export function checkOverfitting(tally: Tally, file: Members, prices: PriceTable): void {
  const section = asMembers(file['overfitting'], 'overfitting');
  const lookbacks = asList(section['strategies'], 'strategies').map((each) => asNumber(each, 'strategies'));
  const trials = lookbacks.map((lookback) => momentum([...prices.values()], lookback));
  const blocks = asNumber(section['pbo_cscv_blocks'], 'pbo_cscv_blocks');
  const ratios = trials.map((each) => sharpeRatio(each, { riskFree: 0, periodsPerYear: 1 }) ?? Number.NaN);
  const best = ratios.reduce((at, ratio, trial) => (ratio > ratios[at]! ? trial : at), 0);
  const deviation = standardDeviation(ratios, { ddof: 1 });
  const deflated = deflatedSharpe(trials[best]!, { riskFree: 0, trials: trials.length, deviation });
  const rows = Math.floor(trials[0]!.length / blocks);
  const division = backtestOverfitting(
    trials.map((each) => blockSums(each, blocks)),
    { blocks, rows },
  );
  tally.case();
  for (const [at, expected] of asList(section['daily_sharpe'], 'daily_sharpe').entries())
    tally.number(`daily_sharpe[${at}]`, asNumber(expected, 'daily_sharpe'), ratios[at]!, TOLERANCE);
  const found: Readonly<Record<string, number | null>> = {
    observations: trials[0]!.length,
    best_lookback: lookbacks[best]!,
    psr_best_vs_0: probabilisticSharpe(trials[best]!, { riskFree: 0, target: 0 }),
    expected_max_sharpe_under_null: deflated.benchmark,
    deflated_sharpe_probability: deflated.probability,
    pbo_combinations: division.ok ? division.combinations : null,
    pbo: division.ok ? division.pbo : null,
  };
  for (const [key, value] of Object.entries(found))
    tally.number(key, asNumber(section[key], key), value ?? Number.NaN, TOLERANCE);
}

/** Returns the daily returns of an equally weighted portfolio of the stocks with the highest trailing returns. */
function momentum(prices: readonly (readonly number[])[], lookback: number): Float64Array {
  const days = prices[0]!.length - 1 - FIRST;
  return Float64Array.from({ length: days }, (_, at) => {
    const day = FIRST + at;
    const trailing = prices.map((each) => each[day]! / each[day - lookback]!);
    const order = [...trailing.keys()].sort((one, other) => trailing[other]! - trailing[one]! || one - other);
    let total = 0;
    for (const symbol of order.slice(0, HELD)) total += prices[symbol]![day + 1]! / prices[symbol]![day]! - 1;
    return total / HELD;
  });
}
