import { lastCompletedMonth, monthIndex, monthOf } from '#lib/core/date.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import { findMetric } from '#lib/data/metric-values.query.ts';
import { priceSeriesTexts } from '#lib/data/price-series.query.ts';
import type { Em } from '#lib/database/base.ts';
import type { PeriodValue } from '#lib/forecasting/series/period-grid.ts';
import { metricValues } from '#lib/forecasting/series/metric-series.query.ts';
import { lastCloses } from '#lib/investment/portfolios/close.query.ts';
import { readPinned } from '#lib/investment/portfolios/pinned-portfolio.query.ts';
import { pinnedRisk } from '#lib/investment/risk/pinned-risk.query.ts';
import { readCheckpoint } from '#lib/models/registry/checkpoint.query.ts';
import { trainingMonths } from '#lib/models/scenarios/training-months.query.ts';
import { backtestCurve } from './backtest-curve.query.ts';
import type { ResolvedHistory } from './history-source.schema.ts';
import type { SimulationData, SourceData, WeightData } from './simulation-data.ts';
import { PORTFOLIO_MONTHS_MAX } from './simulation-limits.ts';
import type { SimulationInput } from './simulations.schema.ts';

type Revisions = Readonly<Record<string, number>>;

/** A day that is earlier than the first day of any price. */
const FIRST_DAY = '1800-01-01';

/** Reads the data from which a simulation draws, at the revisions that the run may read. */
export async function simulationData(
  em: Em,
  input: SimulationInput,
  revisions: Revisions,
): Promise<SimulationData> {
  const { portfolio, as_of: asOf, inflation } = input;
  return {
    ...(await sourceData(em, input, revisions)),
    ...(portfolio && { weights: await weightData(em, portfolio, asOf!, revisions) }),
    ...(typeof inflation !== 'number' && {
      index: await indexValues(em, inflation.metric, { asOf: asOf!, revisions }),
    }),
  };
}

async function sourceData(
  em: Em,
  { source, assets: symbols }: SimulationInput,
  revisions: Revisions,
): Promise<SourceData> {
  switch (source.kind) {
    case 'parametric':
      return { kind: 'parametric' };
    case 'history':
      return historyData(em, source, symbols, revisions);
    case 'model': {
      const checkpoint = await readCheckpoint(em, source.training_uid);
      if (canonicalHash(checkpoint) !== source.checkpoint_hash)
        throw new Error('the checkpoint differs from the approved checkpoint');
      const months = await trainingMonths(em, source.training_set ?? null, checkpoint);
      return { kind: 'model', checkpoint, months };
    }
  }
}

async function historyData(
  em: Em,
  source: ResolvedHistory,
  symbols: readonly string[],
  revisions: Revisions,
): Promise<SourceData> {
  const { portfolio, backtest, from, to } = source;
  if (backtest) return { kind: 'backtest', ...(await backtestCurve(em, backtest, { from, to })) };
  if (portfolio) {
    const { basis, ...pinned } = portfolio;
    return {
      kind: 'portfolio',
      risk: await pinnedRisk(em, pinned, {
        asOf: to,
        options: {
          frequency: 'monthly',
          window: monthsOf(source),
          levels: [],
          basis,
          currency: null,
          include: [],
        },
        benchmark: null,
        benchmarkPortfolio: undefined,
        factorRun: null,
        revisions,
      }),
    };
  }
  return {
    kind: 'history',
    prices: await priceSeriesTexts(em, {
      symbols,
      member: 'return',
      frequency: 'monthly',
      from: from ?? FIRST_DAY,
      until: to,
      asOf: to,
      revisions,
    }),
  };
}

/**
 * Returns the number of monthly returns to read for a portfolio, up to the last complete month: the number of months in
 * the requested range, at most `PORTFOLIO_MONTHS_MAX`.
 */
function monthsOf({ from, to }: Pick<ResolvedHistory, 'from' | 'to'>): number {
  if (from === null) return PORTFOLIO_MONTHS_MAX;
  const months = monthIndex(lastCompletedMonth(to)) - monthIndex(monthOf(from));
  return Math.min(PORTFOLIO_MONTHS_MAX, Math.max(1, months));
}

async function weightData(
  em: Em,
  pinned: NonNullable<SimulationInput['portfolio']>,
  asOf: string,
  revisions: Revisions,
): Promise<WeightData> {
  const { group, symbols } = await readPinned(em, pinned, { asOf, revisions });
  return {
    portfolio: pinned.portfolio,
    group,
    closes: await lastCloses(em, { symbols, asOf, revisions, priceCurrency: pinned.price_currency }),
  };
}

/** Returns the values of a metric that were known at the end of a day, oldest first. */
async function indexValues(
  em: Em,
  name: string,
  { asOf, revisions }: { asOf: string; revisions: Revisions },
): Promise<readonly PeriodValue[]> {
  const metric = await findMetric(em, name);
  const found =
    metric &&
    (await metricValues(em, {
      metric,
      company: null,
      frequency: undefined,
      knowledge: { at: `${asOf}T23:59:59.999999Z`, revisions },
    }));
  return found?.ok ? found.values.observed : [];
}
