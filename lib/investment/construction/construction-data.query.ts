import { compareText } from '#lib/core/compare-text.ts';
import { daysBefore, firstDayOfMonth, lastCompletedMonth, monthsBefore } from '#lib/core/date.ts';
import { featureMatrixAsOf } from '#lib/data/feature-join.query.ts';
import { monthlyPriceTextsAsOf } from '#lib/data/price.query.ts';
import { priceSeriesTexts } from '#lib/data/price-series.query.ts';
import type { Em } from '#lib/database/base.ts';
import { lastCloses } from '../portfolios/close.query.ts';
import { readPinned } from '../portfolios/pinned-portfolio.query.ts';
import { readFactorRun } from '../theme-factors/factor-run.query.ts';
import type { ConstructionData } from './construction-data.ts';
import { PRICES_MAX, SYMBOLS_MAX } from './construction-limits.ts';
import { exposuresTo, knownInstruments } from './construction-market.query.ts';
import type { ConstructionRunInput } from './construction-run.schema.ts';

/**
 * Number of calendar days to read per session, because of weekends and holidays. The next constant is the
 * number of calendar days to read for the volumes.
 */
const DAYS_PER_SESSION = 1.6;
const VOLUME_DAYS = 45;

/** Reads all data that a construction depends on, at the revisions that the run may read. */
export async function readConstruction(
  em: Em,
  input: ConstructionRunInput,
  revisions: Readonly<Record<string, number>>,
): Promise<ConstructionData> {
  const { as_of: asOf, universe, constraints, risk } = input;
  const pinned = { asOf, revisions };
  const { group, symbols: held } = await readPinned(em, input, pinned);
  const exposures = await exposuresTo(em, themesOf(input), pinned);
  const listed = await listedOf(em, universe, { exposures, pinned });
  const other = input.benchmark_portfolio;
  const compared = other && (await readPinned(em, other, pinned));
  const benchmark = compared?.symbols ?? Object.keys(input.benchmark ?? {});
  const symbols = [...new Set([...held, ...(listed ?? []), ...benchmark])].sort(compareText);
  const count = symbols.length * (risk.window + 1);
  const isTooLarge = count > PRICES_MAX || (listed?.length ?? 0) > SYMBOLS_MAX;
  const market = {
    group,
    benchmarkGroup: compared?.group ?? null,
    listed,
    exposures,
    symbols: symbols.length,
  };
  if (isTooLarge)
    return {
      ...market,
      isTooLarge,
      instruments: [],
      closes: [],
      prices: [],
      volumes: [],
      feature: null,
      factorRun: undefined,
    };
  const needsVolume = constraints.liquidity !== undefined || input.costs?.impact !== undefined;
  return {
    ...market,
    isTooLarge,
    instruments: await knownInstruments(em, { symbols }, pinned),
    closes: await lastCloses(em, { symbols, asOf, revisions, priceCurrency: input.price_currency }),
    prices: await pricesOf(em, input, { symbols, revisions }),
    volumes: needsVolume
      ? await priceSeriesTexts(em, {
          symbols,
          member: 'volume',
          frequency: 'daily',
          from: daysBefore(asOf, VOLUME_DAYS),
          until: asOf,
          ...pinned,
        })
      : [],
    feature: await featureValues(em, input, symbols),
    factorRun: risk.factor_run_uid === null ? undefined : await readFactorRun(em, risk.factor_run_uid),
  };
}

/** Returns the themes that the universe and the groups name. */
function themesOf({ universe, constraints: { groups = [] } }: ConstructionRunInput): Set<string> {
  const named = groups.flatMap((group) => (group.by === 'theme' ? [group.name] : []));
  return new Set(universe.kind === 'theme' ? [...named, universe.name] : named);
}

/** Returns the symbols of the universe; null if the universe is the holdings of the portfolio. */
async function listedOf(
  em: Em,
  universe: ConstructionRunInput['universe'],
  {
    exposures,
    pinned,
  }: {
    exposures: ConstructionData['exposures'];
    pinned: { asOf: string; revisions: Readonly<Record<string, number>> };
  },
): Promise<string[] | null> {
  switch (universe.kind) {
    case 'holdings':
      return null;
    case 'list':
      return universe.symbols;
    case 'theme':
      return exposures.flatMap(({ theme, symbol, micro }) =>
        theme === universe.name && micro > 0 ? [symbol] : [],
      );
    case 'sector': {
      const { name: sector } = universe;
      const found = await knownInstruments(em, { sector, limit: SYMBOLS_MAX + 1 }, pinned);
      return found.map(({ symbol }) => symbol);
    }
  }
}

/** Reads adjusted prices by months or by sessions. One more price than returns is read. */
function pricesOf(
  em: Em,
  { as_of: asOf, risk: { frequency, window } }: ConstructionRunInput,
  { symbols, revisions }: { symbols: readonly string[]; revisions: Readonly<Record<string, number>> },
) {
  if (frequency === 'monthly') {
    const from = firstDayOfMonth(monthsBefore(lastCompletedMonth(asOf), window));
    return monthlyPriceTextsAsOf(em, { symbols, from, asOfDate: asOf, datasetRevisions: revisions });
  }
  const from = daysBefore(asOf, Math.ceil((window + 1) * DAYS_PER_SESSION) + 10);
  return priceSeriesTexts(em, {
    symbols,
    member: 'return',
    frequency,
    from,
    until: asOf,
    asOf,
    revisions,
  });
}

async function featureValues(
  em: Em,
  { feature, as_of: asOf }: ConstructionRunInput,
  entities: readonly string[],
): Promise<Record<string, number> | null> {
  if (!feature) return null;
  const { version_id: id, revision } = feature;
  const cells = await featureMatrixAsOf(em, {
    versionIds: [id],
    entities,
    asOf,
    revisions: { [id]: revision },
  });
  return Object.fromEntries(cells.flatMap(({ entity, value }) => (value === null ? [] : [[entity, value]])));
}
