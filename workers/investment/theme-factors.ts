import { addMonths, firstDayOfMonth, lastCompletedMonth } from '#lib/core/date.ts';
import { monthlyPriceTextsAsOf } from '#lib/data/price.query.ts';
import { taxonomyExposures, taxonomyInForce } from '#lib/data/taxonomy.query.ts';
import { themeFactorsRun } from '#lib/investment/theme-factors/theme-factors.run.ts';
import type { SymbolPriceText } from '#lib/data/price-text.ts';
import type { ThemeFactorsData } from '#lib/investment/theme-factors/theme-factors.ts';
import { runner } from '../process/runner.ts';

/** The data that the thread receives. The prices are unparsed decimal texts. */
export type LoadedThemeFactors = Pick<ThemeFactorsData, 'taxonomy'> & { prices: SymbolPriceText[] };

export default runner(themeFactorsRun, {
  /**
   * Reads the taxonomy published by the as-of date, and the prices of the taxonomy's symbols that were known at that
   * date.
   */
  load: async (em, run): Promise<LoadedThemeFactors> => {
    const { as_of_date: asOfDate, history_months: historyMonths } = run.input;
    const chosen = await taxonomyInForce(em, asOfDate, run.datasetRevisions);
    if (!chosen) return { taxonomy: undefined, prices: [] };
    const exposures = await taxonomyExposures(em, chosen.id);
    const prices = await monthlyPriceTextsAsOf(em, {
      symbols: [...new Set(exposures.map((exposure) => exposure.symbol))],
      from: firstDayOfMonth(addMonths(lastCompletedMonth(asOfDate), -historyMonths)),
      asOfDate,
      datasetRevisions: run.datasetRevisions,
    });
    return { taxonomy: { version: chosen.version, publishedAt: chosen.publishedAt, exposures }, prices };
  },
  compute: new URL('./theme-factors.compute.ts', import.meta.url),
});
