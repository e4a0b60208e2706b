import { addMonths, firstDayOfMonth, lastCompletedMonth, monthsBefore } from '#lib/core/date.ts';
import type { Em } from '#lib/database/base.ts';
import { monthlyPriceTextsAsOf } from '#lib/data/price.query.ts';
import type { SymbolPriceText } from '#lib/data/price-text.ts';
import { knownInstruments } from '#lib/investment/construction/construction-market.query.ts';
import { lastCloses } from '#lib/investment/portfolios/close.query.ts';
import { readPinned } from '#lib/investment/portfolios/pinned-portfolio.query.ts';
import { HARVEST_MODEL, harvestModelOf } from '#lib/investment/tax/harvest-models.ts';
import { taxHarvestRun } from '#lib/investment/tax/tax-harvest.run.ts';
import { CANDIDATES_MAX, SIMILARITY_MONTHS, type TaxHarvestData } from '#lib/investment/tax/tax-harvest.ts';
import type { TaxHarvestInput } from '#lib/investment/tax/tax-harvest.schema.ts';
import { type FactorRun, readFactorRun } from '#lib/investment/theme-factors/factor-run.query.ts';
import { runner } from '../process/runner.ts';

/** The data that the thread receives: prices are still texts. */
export type LoadedHarvest = Omit<TaxHarvestData, 'returns'> & { prices: SymbolPriceText[] };

type Pinned = { asOf: string; revisions: Readonly<Record<string, number>> };

export default runner(taxHarvestRun, {
  /** Reads the events, closes, factor run and candidates for replacements that the input names. */
  load: async (em, { input, datasetRevisions, modelKey }): Promise<LoadedHarvest> => {
    const model = harvestModelOf(modelKey);
    const pinned = { asOf: input.as_of, revisions: datasetRevisions };
    const { group, traded, symbols: held } = await readPinned(em, input, pinned);
    const closes = await lastCloses(em, {
      symbols: traded,
      ...pinned,
      priceCurrency: input.price_currency,
    });
    const factorRun =
      input.factor_run_uid === null ? undefined : await readFactorRun(em, input.factor_run_uid);
    const read = { model, group, closes, factorRun };
    if (model !== HARVEST_MODEL)
      return {
        ...read,
        sectors: {},
        hasTooManyCandidates: false,
        prices: await pricesOfRun(em, factorRun, pinned),
      };
    const sectors = await sectorsOf(em, input, held, pinned);
    const { replacements } = input;
    const listed = typeof replacements === 'number' ? [] : (replacements.symbols ?? []);
    const symbols = [
      ...new Set([...held, ...listed, ...Object.keys(sectors ?? {}), ...(factorRun?.result.symbols ?? [])]),
    ];
    return {
      ...read,
      sectors: sectors ?? {},
      hasTooManyCandidates: sectors === null,
      prices: await monthlyPriceTextsAsOf(em, {
        symbols,
        from: firstDayOfMonth(monthsBefore(lastCompletedMonth(input.as_of), SIMILARITY_MONTHS)),
        asOfDate: input.as_of,
        datasetRevisions,
      }),
    };
  },
  compute: new URL('./tax-harvest.compute.ts', import.meta.url),
});

/** Returns the prices of the symbols of a factor run, over its months, as version 1 of the model reads them. */
async function pricesOfRun(
  em: Em,
  factorRun: FactorRun | undefined,
  { revisions }: Pinned,
): Promise<SymbolPriceText[]> {
  const asOfDate = factorRun?.result.request.as_of_date;
  if (!factorRun || asOfDate === undefined) return [];
  const { symbols, months } = factorRun.result;
  const from = firstDayOfMonth(addMonths(asOfDate.slice(0, 7), -months.length - 1));
  return monthlyPriceTextsAsOf(em, { symbols, from, asOfDate, datasetRevisions: revisions });
}

/**
 * Returns the sector of each held symbol and of every instrument in one of these sectors; null if there are too many.
 * Empty unless the replacements come from the sector.
 */
async function sectorsOf(
  em: Em,
  { replacements }: TaxHarvestInput,
  held: readonly string[],
  pinned: Pinned,
): Promise<Record<string, string> | null> {
  if (typeof replacements === 'number' || replacements.from !== 'sector') return {};
  const own = await knownInstruments(em, { symbols: held }, pinned);
  const found = new Map<string, string>();
  for (const sector of new Set(own.flatMap((each) => each.sector ?? []))) {
    for (const { symbol } of await knownInstruments(em, { sector, limit: CANDIDATES_MAX + 1 }, pinned))
      found.set(symbol, sector);
    if (found.size > CANDIDATES_MAX) return null;
  }
  return Object.fromEntries(found);
}
