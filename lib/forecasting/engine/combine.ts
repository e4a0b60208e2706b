import type { Forecast } from '#lib/forecasting/methods/method.ts';
import type { Origin } from './origins.ts';
import type { Candidate } from './run-pool.ts';

export type Share = { weight: number; forecast: Forecast | null };

/**
 * Returns the weighted mean of point forecasts, step by step. Methods without a forecast are left out, and the other
 * weights are scaled to sum to 1. If no method with a positive weight has a forecast, all methods with a forecast have
 * equal weights. Example: the forecasts [1, 3] and [3, 5] with the weights 1/4 and 3/4 give [2.5, 4.5]. Throws if there
 * is no forecast at all.
 */
export function combinePoints(shares: readonly Share[], horizon: number): Float64Array {
  const had = shares.filter(({ forecast }) => forecast !== null);
  if (had.length === 0) throw new RangeError('a combination needs at least one forecast');
  const isWeighed = had.some(({ weight }) => weight > 0);
  const point = new Float64Array(horizon);
  let total = 0;
  for (const { weight, forecast } of had) {
    const share = isWeighed ? weight : 1;
    total += share;
    for (let step = 0; step < horizon; step += 1) point[step]! += share * forecast!.point[step]!;
  }
  return point.map((value) => value / total);
}

/** Returns the weighted mean of the point forecasts at each origin. */
export function combineAtOrigins(
  origins: readonly Origin[],
  candidates: readonly Pick<Candidate, 'weight' | 'atOrigins'>[],
): Float64Array[] {
  return origins.map(({ horizon }, at) => {
    const shares = candidates.map(({ weight, atOrigins }) => ({ weight, forecast: atOrigins[at]! }));
    return combinePoints(shares, horizon);
  });
}
