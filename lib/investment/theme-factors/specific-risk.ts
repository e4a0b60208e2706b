import { mean, standardDeviation } from '#lib/numerics/descriptive.ts';
import { ewmaVolatility } from '#lib/numerics/ewma-volatility.ts';
import type { SpecificRisk } from './theme-factors.result.ts';

/** A symbol with fewer specific returns has no specific risk of its own in the result. */
export const RESIDUALS_MIN = 12;

/** 0.5^(1/12), a half-life of 12 months, written out since a power is not the same to the bit everywhere. */
export const DECAY_MONTHLY = 0.9438743126816935;

/** How far a symbol's volatility is drawn to the mean of the universe: q of the shrinkage below. */
export const SHRINKAGE_STRENGTH = 0.1;

/**
 * Descriptive specific risk of every symbol with at least 12 specific returns: mean, volatility (ddof 1), the
 * exponentially weighted volatility with a half-life of 12 calendar months (not demeaned), and the volatility shrunk
 * to the mean of the universe.
 *
 * `residuals`: symbols-by-months, row-major, monthly fractions, NaN where missing; `symbols` name the rows in order.
 * Source: specification of svc_theme_factor_ridge_v1, step 10; the shrinkage has the form of MSCI, "The Barra US
 * Equity Model (USE4) Methodology Notes" (2011), section on specific risk: v = q |s - m| / (D + q |s - m|), m and D
 * the mean and the population standard deviation of s over the universe, and v m + (1 - v) s the shrunk volatility.
 * Where all are the same, v is 0.
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

/** The values that are there, in order, as a view of `scratch`. */
function withoutGaps(values: Float64Array, scratch: Float64Array): Float64Array {
  let count = 0;
  for (let t = 0; t < values.length; t += 1) {
    if (Number.isNaN(values[t])) continue;
    scratch[count] = values[t]!;
    count += 1;
  }
  return scratch.subarray(0, count);
}
