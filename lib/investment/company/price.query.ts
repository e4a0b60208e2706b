import Type from 'typebox';
import { daysBefore } from '#lib/core/date.ts';
import { Closed, Nullable } from '#lib/core/schema.ts';
import { adjustmentSteps, factorsOn, type AdjustmentStep } from '#lib/data/adjustment.ts';
import { effectiveActions } from '#lib/data/adjustment.query.ts';
import { findSeries, priceFrequencies, type Series } from '#lib/data/instrument-series.query.ts';
import { seriesRows, type ObservedRow } from '#lib/data/series-rows.query.ts';
import type { Em } from '#lib/database/base.ts';
import { ageDays, Block, defineBlock, type Company } from './block.ts';
import { priceFigures, type PricePoint } from './price-figures.ts';
import { Day, Decimal, Fraction } from './wire.ts';

/** Maximum age of the last close in days. The block is stale if the close is older. */
const AGE_DAYS_MAX = { daily: 31, monthly: 62 } as const;

/**
 * Number of days of prices to read: a year, plus the maximum age of the last close, plus the maximum age of
 * the base close a year before.
 */
const WINDOW_DAYS = 366 + 62 + 30;

const adjustments = ['vendor', 'derived', 'none'] as const;

const Return = (months: string) =>
  Nullable(
    Fraction(`Return over ${months}.`, 0.031),
    `Simple return of the adjusted closes over ${months} up to the last close, a fraction; null if there is no close at the start.`,
  );

const Extreme = (description: string) =>
  Closed(
    {
      close: Type.Number({ exclusiveMinimum: 0, description: 'The adjusted close.', examples: [124.808] }),
      observed_on: Day('The day of the close.'),
    },
    { description },
  );

const schema = Block(
  {
    frequency: Type.Enum([...priceFrequencies], {
      description: 'The frequency of the prices: daily, or monthly if there is no daily series.',
    }),
    adjustment: Type.Enum([...adjustments], {
      description:
        'How the closes behind the other figures are adjusted: by the `vendor`, `derived` from the splits ' +
        'and cash dividends known by `as_of`, or `none` if no such actions are known.',
    }),
    last: Closed(
      {
        close: Decimal('The close, exactly as imported.', '124.808'),
        observed_on: Day('The day of the close.'),
      },
      { title: 'CompanyLastClose', description: 'The last known close.' },
    ),
    return_1m: Return('1 month'),
    return_3m: Return('3 months'),
    return_12m: Return('12 months'),
    volatility: Nullable(
      Fraction('Annualised volatility.', 0.24),
      'Standard deviation of the simple returns of the last 12 months, annualised with 252 days or 12 months, ' +
        'a fraction; null with fewer than 20 daily or 6 monthly returns.',
    ),
    volatility_returns: Type.Integer({
      minimum: 0,
      description: 'The number of returns that the volatility is computed from.',
      examples: [251],
    }),
    range_52w: Closed(
      { low: Extreme('The lowest close.'), high: Extreme('The highest close.') },
      { title: 'CompanyPriceRange', description: 'The range of the adjusted closes over 52 weeks.' },
    ),
    median_volume: Nullable(
      Type.Number({ minimum: 0, description: 'Shares.', examples: [187_630_000] }),
      'Median number of shares traded per day, or per month in a monthly series, over the last 3 months; null if no volume is known.',
    ),
  },
  {
    title: 'CompanyPrice',
    description: 'The last close, and figures for the year before the last close.',
    since: 'the day of the last close',
  },
);

type PriceRow = ObservedRow & { close: string; adj_close: string | null; volume: string | null };

/** The last close, with returns, volatility, range and volume of the year before it. */
export const price = defineBlock({
  scope: 'data:market:read',
  kind: 'prices',
  schema,
  async read(em, company) {
    const { subject, day } = company;
    const series = await findSeries(em, subject, { kind: 'prices', asOf: day });
    if (!series) return 'never_observed';
    const frequency = series.frequency!;
    const rows = await recentPrices(em, series, day);
    const last = rows.at(-1);
    if (!last || ageDays(company, last.observedOn) > AGE_DAYS_MAX[frequency]) return 'stale';
    const { adjustment, points } = await adjusted(em, company, { series, rows });
    const figures = priceFigures(points, frequency);
    const extreme = ({ close, day: observed_on }: PricePoint) => ({ close, observed_on });
    return {
      dataset: series.datasetUid,
      known_at: last.knownAt,
      age_days: ageDays(company, last.observedOn),
      frequency,
      adjustment,
      last: { close: last.close, observed_on: last.observedOn },
      return_1m: figures.return1m,
      return_3m: figures.return3m,
      return_12m: figures.return12m,
      volatility: figures.volatility,
      volatility_returns: figures.volatilityReturns,
      range_52w: { low: extreme(figures.low), high: extreme(figures.high) },
      median_volume: figures.medianVolume,
    };
  },
});

/**
 * Reads the closes of the window, oldest first. Uses one statement for each symbol that the instrument had in
 * the window.
 */
function recentPrices(em: Em, series: Series, day: string): Promise<PriceRow[]> {
  const from = daysBefore(day, WINDOW_DAYS);
  const ranges = series.ranges.filter(({ until }) => until === null || until > from);
  return seriesRows<PriceRow>(
    em,
    { ...series, ranges },
    { table: 'price', columns: ['close', 'adj_close', 'volume'] },
    { from, to: day, asOf: day, after: undefined, limit: WINDOW_DAYS + 1 },
  );
}

type Read = { series: Series; rows: readonly PriceRow[] };

/**
 * Adjusts closes and volumes for splits and dividends. Uses the adjusted closes of the vendor if they are
 * complete.
 */
async function adjusted(
  em: Em,
  company: Company,
  { series, rows }: Read,
): Promise<{ adjustment: (typeof adjustments)[number]; points: PricePoint[] }> {
  const isByVendor = rows.every(({ adj_close }) => adj_close !== null);
  const steps = isByVendor ? [] : await stepsOf(em, company, { series, rows });
  const points = rows.map(({ observedOn, close, adj_close, volume }) => {
    const factor = factorsOn(steps, observedOn);
    return {
      day: observedOn,
      close: isByVendor ? Number(adj_close) : Number(close) * factor.price,
      volume: volume === null ? null : Number(volume) * factor.volume,
    };
  });
  return { adjustment: isByVendor ? 'vendor' : steps.length > 0 ? 'derived' : 'none', points };
}

async function stepsOf(em: Em, { subject, day }: Company, { series, rows }: Read): Promise<AdjustmentStep[]> {
  const actions = await findSeries(em, subject, { kind: 'corporate_actions', asOf: day });
  if (!actions) return [];
  const from = rows[0]!.observedOn;
  const effective = await effectiveActions(em, { prices: series, actions }, { asOf: day, from, until: day });
  return adjustmentSteps(effective, series.priceBasis ?? 'quoted');
}
