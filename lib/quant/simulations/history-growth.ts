import { optimalBlockLength } from '#lib/numerics/bootstrap/optimal-block-length.ts';
import { rowGrowth, type Allocation } from '#lib/numerics/simulation/portfolio-growth.ts';
import { historyForm, type ClosedForm } from './closed-form.ts';
import { historyGrowth } from './growth-source.ts';
import type { ResolvedHistory } from './history-source.schema.ts';
import { portfolioHistory } from './portfolio-history.ts';
import type { PortfolioValue } from './portfolio-weights.ts';
import { monthlyGrowth, type MonthlyGrowth, type SourceData } from './simulation-data.ts';
import { MONTHS_MIN } from './simulation-limits.ts';
import { backtestIneligible, historyShort, unfit, type SimulationRefusal } from './simulation-refusal.ts';
import type { SimulationResult } from './simulation-result.schema.ts';
import type { DrawGrowth } from './simulation-setup.ts';
import type { SimulationInput } from './simulations.schema.ts';

/**
 * The source from which paths are drawn, and its figures in the result. `value` is the value of the
 * portfolio if the returns of a portfolio are drawn.
 */
export type Source = {
  draw: DrawGrowth;
  history: SimulationResult['history'];
  form: ClosedForm | null;
  value?: PortfolioValue;
};

/** Returns the growth factors of the months of a history. For a portfolio, also returns its value. */
export function historyTable(
  data: SourceData,
  source: ResolvedHistory,
  assets: readonly string[],
): (MonthlyGrowth & Partial<PortfolioValue>) | SimulationRefusal {
  switch (data.kind) {
    case 'history':
      return monthlyGrowth(data.prices, assets);
    case 'portfolio':
      return portfolioHistory(data.risk, source.from !== null);
    case 'backtest':
      if (!data.isIntact) return backtestIneligible('altered');
      if (data.prices.some(({ observations }) => / 0(,|$)/.test(observations)))
        return backtestIneligible('bankrupt');
      return monthlyGrowth(data.prices, assets);
    default:
      throw new Error('the months of the history were not loaded');
  }
}

/**
 * Returns the source from which paths are drawn, computed from the growth of the assets in the months of a
 * history.
 */
export function historySource(
  { source, assets, seed, horizon }: Omit<SimulationInput, 'source'> & { source: ResolvedHistory },
  { days, growth }: MonthlyGrowth,
  allocation: Allocation,
): Source | SimulationRefusal {
  const rows = days.length;
  if (rows < MONTHS_MIN) return historyShort(rows, assets);
  const whole = rowGrowth(growth, allocation.targets.subarray(0, assets.length), 1);
  const { method } = source;
  const estimated =
    method === 'independent' || source.block !== 'auto' ? null : optimalBlockLength(whole)[method];
  const block = method === 'independent' ? 1 : blockOf(source.block, { method, estimated, rows });
  if (block > rows)
    return unfit(
      '/source/block',
      'maximum',
      `must be at most ${rows}, the number of months in which every symbol has a return`,
    );
  const plan = { method, block, rows, horizon };
  return {
    draw: historyGrowth(growth, plan, { allocation, seed }),
    form: historyForm(growth, plan, allocation),
    history: {
      months: rows,
      first_month: days[0]!,
      last_month: days.at(-1)!,
      block: method === 'independent' ? null : block,
      estimated_block: estimated,
    },
  };
}

/**
 * Returns the length of a block, at least 1. For blocks of equal length, an estimate is rounded to an
 * integer.
 */
function blockOf(
  requested: number | 'auto',
  { method, estimated, rows }: { method: string; estimated: number | null; rows: number },
): number {
  if (requested !== 'auto') return requested;
  const wanted = method === 'circular' ? Math.floor(estimated! + 0.5) : estimated!;
  return Math.min(rows, Math.max(1, wanted));
}
