import { exp } from '#lib/numerics/exponential.ts';
import { normalQuantile } from '#lib/numerics/normal-quantile.ts';
import type { SpecificUniform } from '#lib/numerics/scenario/draw-specific.ts';
import type { Exposure } from './exposure-mapping.ts';
import type { SpecificKind } from './scenario-request.schema.ts';

/**
 * Maximum cumulative log return. It corresponds to a factor of 2.7e43. With this limit, every sum of profits is
 * finite.
 */
const LOG_RETURN_MAX = 100;

/**
 * A position with an exposure to the factors: its value in minor units, its instrument number and its
 * exposure.
 */
export type MappedPosition = { value: number; instrument: number; exposure: Exposure };

/** The samples: `months` x `factors` numbers per sample, as cumulative log returns over the months. */
export type Samples = { matrix: Float64Array; count: number; months: number; factors: number };

/**
 * Writes the profit of a position in a sample at the end of each month to `out`. The profit is value x
 * (exp(beta f + e) - 1), where f is the cumulative log return of the factors and e is the sum of the specific
 * log returns up to this month.
 */
export type ProfitOf = (position: MappedPosition, sample: number, out: Float64Array) => void;

/** How specific returns are drawn. */
export type SpecificDraws = { specific: SpecificKind; uniform: SpecificUniform };

/** Returns the function that converts a uniform number to a specific log return. */
function specificFunction(
  { deviation, residuals }: Pick<Exposure, 'deviation' | 'residuals'>,
  specific: SpecificKind,
): (u: number) => number {
  return specific === 'bootstrap' && residuals !== null
    ? (u) => residuals[Math.floor(u * residuals.length)]!
    : (u) => deviation * normalQuantile(u);
}

/**
 * Divides the profit of a position at the last month among the factors and its specific return, and adds the parts to
 * `out`: one number per factor, then the specific return. A part is value x beta f x (exp(x) - 1) / x, where x is the
 * log return of the position, so the parts sum to the profit. The factor (exp(x) - 1) / x is the logarithmic mean of
 * the start and the end value. Source: Ang, "The LMDI approach to decomposition analysis" (Energy Policy 33, 2005),
 * additive form.
 */
export type AddFactorParts = (position: MappedPosition, sample: number, out: Float64Array) => void;

/** Returns the function that divides the profits of positions among the factors. */
export function factorParts(
  { matrix, months, factors }: Samples,
  { specific, uniform }: SpecificDraws,
): AddFactorParts {
  return ({ value, instrument, exposure }, sample, out) => {
    const { places, betas, deviation } = exposure;
    const specificAt = specificFunction(exposure, specific);
    let own = 0;
    if (specific !== 'none' && deviation > 0)
      for (let month = 0; month < months; month += 1) own += specificAt(uniform(sample, instrument, month));
    const row = (sample * months + months - 1) * factors;
    let moved = 0;
    for (let k = 0; k < places.length; k += 1) moved += betas[k]! * matrix[row + places[k]!]!;
    const x = moved + own;
    const each = value * (x === 0 ? 1 : (exp(Math.min(x, LOG_RETURN_MAX)) - 1) / x);
    for (let k = 0; k < places.length; k += 1)
      out[places[k]!]! += each * betas[k]! * matrix[row + places[k]!]!;
    out[factors]! += each * own;
  };
}

/**
 * Returns the function that computes the profits of positions in the samples. A specific return is the
 * deviation times the normal quantile of a uniform, or the residual at index floor(uniform x n). A position
 * without a specific deviation uses no random numbers. With `bootstrap`, a position without residuals uses a
 * normal return. Each specific return depends only on the seed, the sample, the month and the instrument.
 */
export function profitFunction(
  { matrix, months, factors }: Samples,
  { specific, uniform }: SpecificDraws,
): ProfitOf {
  return ({ value, instrument, exposure }, sample, out) => {
    const { places, betas, deviation, residuals } = exposure;
    const isDrawn = specific !== 'none' && deviation > 0;
    const specificAt = specificFunction({ deviation, residuals }, specific);
    let own = 0;
    for (let month = 0; month < months; month += 1) {
      const row = (sample * months + month) * factors;
      let moved = 0;
      for (let k = 0; k < places.length; k += 1) moved += betas[k]! * matrix[row + places[k]!]!;
      if (isDrawn) own += specificAt(uniform(sample, instrument, month));
      out[month] = value * (exp(Math.min(moved + own, LOG_RETURN_MAX)) - 1);
    }
  };
}
