import { addMonths, monthOf } from '#lib/core/date.ts';
import { denseSeries } from '#lib/data/dense-series.ts';
import type { SymbolPriceText } from '#lib/data/price-text.ts';
import type { PeriodValue } from '#lib/forecasting/series/period-grid.ts';
import type { LastClose } from '#lib/investment/portfolios/close.query.ts';
import type { PortfolioGroup } from '#lib/investment/portfolios/portfolio-group.ts';
import type { LoadedRisk } from '#lib/investment/risk/pinned-risk.query.ts';
import type { ModelData } from './model-growth.ts';

/**
 * The data from which returns are drawn. `isIntact`: whether the result of a backtest equals the sealed result.
 */
export type SourceData =
  | { kind: 'parametric' }
  | { kind: 'history'; prices: SymbolPriceText[] }
  | { kind: 'portfolio'; risk: LoadedRisk }
  | { kind: 'backtest'; isIntact: boolean; prices: SymbolPriceText[] }
  | ({ kind: 'model' } & ModelData);

/** A portfolio that provides the weights, and the last closes of the portfolio's symbols. */
export type WeightData = { portfolio: string; group: PortfolioGroup; closes: LastClose[] };

/** The data of a simulation. `index`: the values of an index of prices, oldest first. */
export type SimulationData = SourceData & { weights?: WeightData; index?: readonly PeriodValue[] };

/** Growth factors of assets by month: `growth` is months-by-assets. */
export type MonthlyGrowth = { days: string[]; growth: Float64Array };

/**
 * Returns the growth factors of symbols in the newest months in which each symbol has a price in the month and in the
 * month before, without a gap. Without such months, the result is empty.
 */
export function monthlyGrowth(prices: readonly SymbolPriceText[], symbols: readonly string[]): MonthlyGrowth {
  const months = prices.reduce((most, { observations }) => Math.max(most, observations.split(',').length), 0);
  const { dates, valuesOf } = denseSeries(prices, { rows: months, calendar: new Set(symbols), by: 'month' });
  const columns = symbols.map((symbol) => valuesOf.get(symbol));
  const isComplete = (row: number) => columns.every((column) => column !== undefined && column[row]! > 0);
  let end = dates.length;
  while (end > 0 && !isComplete(end - 1)) end -= 1;
  let first = end;
  while (first > 0 && isComplete(first - 1)) {
    if (first < end && monthOf(dates[first - 1]!) !== addMonths(monthOf(dates[first]!), -1)) break;
    first -= 1;
  }
  const days = dates.slice(first + 1, end);
  const growth = new Float64Array(days.length * symbols.length);
  for (const [asset, column] of columns.entries())
    for (let row = 0; row < days.length; row += 1)
      growth[row * symbols.length + asset] = column![first + 1 + row]! / column![first + row]!;
  return { days, growth };
}
