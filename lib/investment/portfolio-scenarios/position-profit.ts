import { exp } from '#lib/numerics/exponential.ts';
import { normalQuantile } from '#lib/numerics/normal-quantile.ts';
import type { SpecificUniform } from '#lib/numerics/scenario/draw-specific.ts';
import type { Exposure } from './exposure-mapping.ts';
import type { SpecificKind } from './scenario-request.schema.ts';

/** The greatest cumulative log return, a factor of 2.7e43: it keeps every sum of profits finite. */
const LOG_RETURN_MAX = 100;

/** A position that follows the factors: its value in minor units, its instrument number and its exposure. */
export type MappedPosition = { value: number; instrument: number; exposure: Exposure };

/** The samples: `months` x `factors` numbers for each of them, cumulative over the months. */
export type Samples = { matrix: Float64Array; count: number; months: number; factors: number };

/**
 * Writes the profit of a position at the end of each month of a sample to `out`: value x (exp(beta f + e) - 1), f the
 * cumulative log returns of the factors and e the sum of the specific log returns up to that month.
 */
export type ProfitOf = (position: MappedPosition, sample: number, out: Float64Array) => void;

/**
 * Returns the profit function of samples. A specific return is deviation x normal quantile of the uniform, or the
 * residual at floor(uniform x n). A position without a specific deviation draws nothing; `bootstrap` without residuals
 * draws a normal return. Each number depends on the sample and the instrument alone.
 */
export function profitFunction(
  { matrix, months, factors }: Samples,
  { specific, uniform }: { specific: SpecificKind; uniform: SpecificUniform },
): ProfitOf {
  return ({ value, instrument, exposure }, sample, out) => {
    const { places, betas, deviation, residuals } = exposure;
    const isDrawn = specific !== 'none' && deviation > 0;
    const isBootstrap = specific === 'bootstrap' && residuals !== null;
    let own = 0;
    for (let month = 0; month < months; month += 1) {
      const row = (sample * months + month) * factors;
      let moved = 0;
      for (let k = 0; k < places.length; k += 1) moved += betas[k]! * matrix[row + places[k]!]!;
      if (isDrawn) {
        const u = uniform(sample, instrument, month);
        own += isBootstrap ? residuals[Math.floor(u * residuals.length)]! : deviation * normalQuantile(u);
      }
      out[month] = value * (exp(Math.min(moved + own, LOG_RETURN_MAX)) - 1);
    }
  };
}
