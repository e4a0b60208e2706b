import { addMonths, firstDayOfMonth, lastCompletedMonth } from '#lib/core/date.ts';
import { monthlyPricesAsOf } from '#lib/data/price.repository.ts';
import { publishedTaxonomyVersions, taxonomyExposures } from '#lib/data/taxonomy.repository.ts';
import type { themeFactorsJob } from '#lib/investment/theme-factors.job.ts';
import type { ThemeFactorsData } from '#lib/investment/theme-factors.ts';
import { selectTaxonomyVersion } from '#lib/data/taxonomy.ts';
import type { Loader } from '../runner.ts';

/** Reads the taxonomy that was published by the as-of date and the prices of its symbols that were known then. */
export const loadThemeFactors: Loader<typeof themeFactorsJob, ThemeFactorsData> = async (em, run) => {
  const { as_of_date: asOfDate, history_months: historyMonths } = run.input;
  const versions = await publishedTaxonomyVersions(em, run.datasetRevisions);
  const own = versions.filter((version) => !version.isPlatform);
  const chosen = selectTaxonomyVersion(own.length ? own : versions, asOfDate);
  if (!chosen) return { taxonomy: undefined, prices: [] };
  const exposures = await taxonomyExposures(em, chosen.id);
  const prices = await monthlyPricesAsOf(em, {
    symbols: [...new Set(exposures.map((exposure) => exposure.symbol))],
    from: firstDayOfMonth(addMonths(lastCompletedMonth(asOfDate), -historyMonths)),
    asOfDate,
    datasetRevisions: run.datasetRevisions,
  });
  return { taxonomy: { version: chosen.version, publishedAt: chosen.publishedAt, exposures }, prices };
};
