import type { MonthCoverage } from './cross-sections.ts';
import type { ThemeFactor, ThemeFactorsWarning } from './theme-factors.result.ts';
import type { Universe } from './theme-universe.ts';

/**
 * The usual minimum number of symbols in a month: the default of skfolio. A month with fewer symbols, or with fewer
 * than twice the number of factors, gets a warning.
 */
const OBSERVATIONS_USUAL = 30;

/**
 * Returns the warnings of a run: symbols left out, months that are not valid or have few symbols, and for each theme
 * the number of months without an estimate or without an index level. `months[i]` is the month of `coverages[i]`.
 * Source: specification of svc_theme_factor_ridge_v1, steps 6 and 11.
 */
export function themeFactorsWarnings(run: {
  universe: Universe;
  months: readonly string[];
  coverages: readonly MonthCoverage[];
  factors: readonly ThemeFactor[];
}): ThemeFactorsWarning[] {
  const { historyShort, aboveMaximum } = run.universe;
  const warnings: ThemeFactorsWarning[] = [];
  if (historyShort + aboveMaximum > 0) {
    warnings.push({ code: 'symbols_left_out', history_short: historyShort, above_maximum: aboveMaximum });
  }
  run.coverages.forEach((coverage, t) => {
    const warning = monthWarning(run.months[t]!, coverage);
    if (warning !== undefined) warnings.push(warning);
  });
  const validMonths = run.coverages.filter(({ valid }) => valid).length;
  for (const { theme, stats, index_levels } of run.factors) {
    const gaps = index_levels.filter((level) => level === null).length;
    if (stats.months < validMonths) {
      warnings.push({ code: 'factor_inactive', theme, months: validMonths - stats.months });
    }
    if (gaps > 0) warnings.push({ code: 'index_gaps', theme, months: gaps });
  }
  return warnings;
}

function monthWarning(month: string, coverage: MonthCoverage): ThemeFactorsWarning | undefined {
  const { symbols, active, symbolsNeeded, valid } = coverage;
  if (!valid)
    return { code: 'month_invalid', month, symbols, minimum: symbolsNeeded, factors: active.length };
  const minimum = Math.max(2 * active.length, OBSERVATIONS_USUAL);
  return symbols < minimum ? { code: 'few_observations', month, symbols, minimum } : undefined;
}
