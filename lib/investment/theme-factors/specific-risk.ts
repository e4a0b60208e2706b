import { mean, standardDeviation } from '#lib/numerics/descriptive.ts';
import { ewmaVolatility } from '#lib/numerics/ewma-volatility.ts';
import type { SpecificRisk } from './theme-factors.result.ts';

/**
 * Minimum number of specific returns of a symbol. For a symbol with fewer returns, the result contains no specific
 * risk.
 */
export const RESIDUALS_MIN = 12;

/**
 * Monthly decay of the weights, 0.5^(1/12): a half-life of 12 months. The value is written as a constant because powers
 * differ in the last bits between platforms.
 */
export const DECAY_MONTHLY = 0.9438743126816935;

/** Strength of the shrinkage of a symbol's volatility to the mean of the universe: q in the formula below. */
export const SHRINKAGE_STRENGTH = 0.1;

/**
 * Computes the descriptive specific risk of every symbol with at least 12 specific returns: mean, volatility (ddof 1),
 * the exponentially weighted volatility with a half-life of 12 calendar months (not demeaned), and the volatility
 * shrunk to the mean of the universe.
 *
 * `residuals`: symbols-by-months, row-major, monthly fractions, NaN if missing. `symbols` are the row names in
 * order. The shrunk volatility is v m + (1 - v) s with v = q |s - m| / (D + q |s - m|), where m and D are the mean and
 * the population standard deviation of s over the universe. If all volatilities are equal, v is 0.
 * Source: specification of svc_theme_factor_ridge_v1, step 10; the form of the shrinkage is from MSCI, "The Barra US
 * Equity Model (USE4) Methodology Notes" (2011), section on specific risk.
 */
export function specificRisks(
  symbols: readonly string[],
  residuals: Float64Array,
  months: number,
): SpecificRisk[] {
  const scratch = new Float64Array(months);
  const measured = symbols.flatMap((symbol, row) => {
    const series = residuals.subarray(row * months, (row + 1) * months);
    const observed = withoutGaps(series, scratch);
    if (observed.length < RESIDUALS_MIN) return [];
    return {
      symbol,
      months: observed.length,
      mean: mean(observed),
      volatility: standardDeviation(observed, { ddof: 1 }),
      ewmaVolatility: ewmaVolatility(series, DECAY_MONTHLY),
    };
  });
  if (measured.length === 0) return [];
  const volatilities = measured.map(({ volatility }) => volatility);
  const centre = mean(volatilities);
  const spread = standardDeviation(volatilities, { ddof: 0 });
  return measured.map((symbol) => {
    const pull = SHRINKAGE_STRENGTH * Math.abs(symbol.volatility - centre);
    const shrinkage = pull > 0 ? pull / (spread + pull) : 0;
    return {
      symbol: symbol.symbol,
      months: symbol.months,
      mean: symbol.mean,
      volatility: symbol.volatility,
      ewma_volatility: symbol.ewmaVolatility,
      shrinkage,
      shrunk_volatility: shrinkage * centre + (1 - shrinkage) * symbol.volatility,
      annualized_volatility: symbol.volatility * Math.sqrt(12),
    };
  });
}

/** Returns the values that are not missing, in order, as a view of `scratch`. */
function withoutGaps(values: Float64Array, scratch: Float64Array): Float64Array {
  let count = 0;
  for (let t = 0; t < values.length; t += 1) {
    if (Number.isNaN(values[t])) continue;
    scratch[count] = values[t]!;
    count += 1;
  }
  return scratch.subarray(0, count);
}
