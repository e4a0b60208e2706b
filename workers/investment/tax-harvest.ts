import { addMonths, firstDayOfMonth } from '#lib/core/date.ts';
import { monthlyPriceTextsAsOf } from '#lib/data/price.query.ts';
import type { SymbolPriceText } from '#lib/data/price-text.ts';
import { lastCloses } from '#lib/investment/portfolios/close.query.ts';
import { readPinned } from '#lib/investment/portfolios/pinned-portfolio.query.ts';
import { taxHarvestRun } from '#lib/investment/tax/tax-harvest.run.ts';
import type { TaxHarvestData } from '#lib/investment/tax/tax-harvest.ts';
import { readFactorRun } from '#lib/investment/theme-factors/factor-run.query.ts';
import { runner } from '../process/runner.ts';

/** The data that the thread receives: prices are still texts. */
export type LoadedHarvest = Omit<TaxHarvestData, 'returns'> & { prices: SymbolPriceText[] };

export default runner(taxHarvestRun, {
  /** Reads the events, closes and factor run that the input names. */
  load: async (em, { input, datasetRevisions }): Promise<LoadedHarvest> => {
    const pinned = { asOf: input.as_of, revisions: datasetRevisions };
    const { group, traded } = await readPinned(em, input, pinned);
    const closes = await lastCloses(em, { symbols: traded, ...pinned });
    const factorRun =
      input.factor_run_uid === null ? undefined : await readFactorRun(em, input.factor_run_uid);
    const asOfDate = factorRun?.result.request.as_of_date;
    const prices =
      factorRun && asOfDate !== undefined
        ? await monthlyPriceTextsAsOf(em, {
            symbols: factorRun.result.symbols,
            from: firstDayOfMonth(addMonths(asOfDate.slice(0, 7), -factorRun.result.months.length - 1)),
            asOfDate,
            datasetRevisions,
          })
        : [];
    return { group, closes, factorRun, prices };
  },
  compute: new URL('./tax-harvest.compute.ts', import.meta.url),
});
