import { quantile } from '../quantile.ts';

/** Share of the volume that a sale may take, sessions of the median, and observations that it needs. */
export const LIQUIDITY = { share: 0.2, sessions: 21, observationsMin: 11 } as const;

/**
 * Returns the sessions that it takes to sell a position at 20 % of the median volume of the last 21 sessions.
 *
 * `quantity` and `volumes` in shares; the sign of the quantity does not count. `volumes`: oldest first, NaN if missing.
 * Null with fewer than 11 observed volumes among the last 21, and if their median is 0.
 *
 * Example: 1,000 shares at a median volume of 500 take 10 sessions.
 */
export function liquidityDays(quantity: number, volumes: ArrayLike<number>): number | null {
  const observed: number[] = [];
  for (let t = Math.max(0, volumes.length - LIQUIDITY.sessions); t < volumes.length; t += 1)
    if (!Number.isNaN(volumes[t]!)) observed.push(volumes[t]!);
  if (observed.length < LIQUIDITY.observationsMin) return null;
  const median = quantile(observed, 0.5);
  return median > 0 ? Math.abs(quantity) / (LIQUIDITY.share * median) : null;
}
