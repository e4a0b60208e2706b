import { quantile } from '../quantile.ts';

/**
 * `share`: share of the median volume that can be sold in one session. `sessions`: number of last sessions
 * for the median. `observationsMin`: minimum number of volumes in these sessions.
 */
export const LIQUIDITY = { share: 0.2, sessions: 21, observationsMin: 11 } as const;

/**
 * Returns the number of sessions needed to sell a position if 20 % of the median volume of the last 21 sessions can be
 * sold in each session.
 *
 * `quantity` and `volumes` are numbers of shares; the sign of the quantity is ignored. `volumes`: oldest
 * first, NaN if missing. Returns null if fewer than 11 of the last 21 volumes are observed, or if their
 * median is 0.
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
