import { walkRounds } from '#lib/core/rounds.ts';
import { searchOutcome, searchPart } from '#lib/quant/optimizations/run-search.ts';
import { divideSearch, searchRounds } from '#lib/quant/optimizations/search-division.ts';
import type { OptimizationInput } from '#lib/quant/optimizations/optimization-input.schema.ts';
import { warmupOfSpace } from '#lib/quant/optimizations/space-warmup.ts';
import { spaceOf } from '#lib/quant/optimizations/search-space.ts';
import { simulateStrategy } from '#lib/quant/backtests/simulate-strategy.ts';
import { resolveStrategy } from '#lib/quant/strategies/resolve-strategy.ts';
import type { StrategyData } from '#lib/quant/strategies/strategy-data.ts';
import type { ResolvedStrategy, Strategy } from '#lib/quant/strategies/strategy.schema.ts';
import type { BenchContext, Row } from '../bench.ts';
import { processorMs } from '../processor-time.ts';
import { interleave, ratioRow } from '../rounds.ts';
import { readSp25, strategyDataOf } from './sp25.ts';

/** Time of pmorissette/bt at bd5650ad for the same rule, symbols and sessions, on a loaded machine with two cores. */
const BT_MS = 10_000;
const cases = {
  full: { sessions: 1_007, lookbacks: 50, tops: 20, rounds: 9, searches: 3 },
  tiny: { sessions: 200, lookbacks: 3, tops: 2, rounds: 1, searches: 1 },
};

/** Measures one backtest compared with bt, and a grid of trials compared with the same number of separate backtests. */
export async function backtestRows(bench: string, { size, notify }: BenchContext): Promise<Row[]> {
  const { sessions, lookbacks, tops, rounds, searches } = cases[size];
  const table = readSp25();
  const data = strategyDataOf(table, sessions);
  const strategy = momentumOf(data.symbols);
  const resolved = resolvedOf(strategy);
  const label = `momentum backtest, ${data.symbols.length} symbols x ${sessions.toLocaleString('en')} sessions`;
  notify(`${label}, ${rounds} rounds`);
  const one = async () => processorMs(() => simulate(resolved, data));
  const alone = await interleave(rounds, { subject: one, peer: async () => BT_MS });
  const note =
    'monthly, top 5, costs of 10 basis points, from texts of prices to the curve; the first round includes compiling; ' +
    'peer: constant 10.0 s, measured with pmorissette/bt at bd5650ad';
  const trials = lookbacks * tops;
  const grid = `grid of ${trials.toLocaleString('en')} trials of this backtest`;
  notify(`${grid}, ${searches} rounds`);
  const input = searchInput(strategy, data, { lookbacks, tops });
  const together = await interleave(searches, {
    subject: async () => processorMs(() => search(input, data, trials)),
    peer: async () => trials * (await one()),
  });
  return [
    ratioRow({ bench, case: label, unit: 'ms', note }, alone, size === 'full' ? { max: 0.02 } : null),
    ratioRow(
      {
        bench,
        case: grid,
        unit: 'ms',
        note: `with folds, evidence and verdict; peer: ${trials.toLocaleString('en')} x one backtest`,
      },
      together,
      size === 'full' ? { max: 0.5 } : null,
    ),
  ];
}

function simulate(strategy: ResolvedStrategy, data: StrategyData): void {
  const found = simulateStrategy(strategy, data, { detail: false });
  if (!found.ok) throw new Error(found.refusal.detail);
  if (!(found.simulated.ledger.filled > 0)) throw new Error('the backtest has no orders');
}

function search(input: OptimizationInput, data: StrategyData, trials: number): void {
  const division = { divide: divideSearch, rounds: searchRounds };
  const numbers = walkRounds(input, division, (part, before) =>
    searchPart(input, { data, benchmark: null }, { part, before, progress: () => {} }),
  );
  const found =
    numbers instanceof Float64Array ? searchOutcome(input, { data, benchmark: null }, numbers) : numbers;
  if (!found.ok) throw new Error(found.refusal.detail);
  const { points, failed } = found.output.result;
  if (points !== trials || failed > 0) throw new Error(`${points} trials, of which ${failed} failed`);
}

/** Returns a strategy that holds the symbols with the largest returns. */
export function momentumOf(symbols: string[]): Strategy {
  return {
    universe: { kind: 'list', symbols },
    signals: { momentum: { expression: 'return(adj_close, $lookback)' } },
    select: { by: 'momentum', top: { $: 'top' } },
    weight: { scheme: 'equal' },
    costs: { proportional_bps: 10 },
    parameters: { lookback: 126, top: 5 },
  };
}

function resolvedOf(strategy: Strategy): ResolvedStrategy {
  const found = resolveStrategy(strategy);
  if (!found.ok) throw new Error(JSON.stringify(found.faults));
  return found.strategy;
}

/** Returns a grid search with five folds. */
function searchInput(
  strategy: Strategy,
  { from, to, symbols }: StrategyData,
  { lookbacks, tops }: { lookbacks: number; tops: number },
): OptimizationInput {
  const space = {
    lookback: { low: 5, high: 5 * lookbacks, step: 5, integer: true },
    top: { low: 1, high: Math.min(tops, symbols.length), step: 1, integer: true },
  };
  const baseline = { lookback: 126, top: 5 };
  return {
    kind: 'strategy',
    family: '0'.repeat(64),
    strategy,
    features: [],
    from,
    to,
    as_of: to,
    warmup: warmupOfSpace(strategy, baseline, spaceOf(space)),
    space,
    where: null,
    method: 'grid',
    trials: Math.max(2, lookbacks * tops),
    metric: 'sharpe',
    cost_multiplier: 1,
    require: [],
    baseline,
    benchmark: null,
    walk_forward: {},
    cscv_blocks: 10,
    periods_per_year: 252,
    before: { declared: 0, counted: 0, measured: 0, sharpe_sum: 0, sharpe_square_sum: 0 },
    seed: 0,
  };
}
