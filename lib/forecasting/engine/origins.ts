/** Where a backtest stands: how many values are known there, and how many periods from there are compared. */
export type Origin = { observations: number; horizon: number };

const ORIGINS_MAX = 3;
/** With fewer known values a fit says nothing about what it does with all of them. */
const KNOWN_MIN = 6;

/**
 * Rolling origins of a backtest of `n` values, the latest first: one at n - h, with h capped at a third of the values,
 * then up to two more, each max(1, floor(h / 2)) earlier, as long as at least half of the values are known there.
 * Example: of 30 values and a horizon of 6 the origins are at 24, 21 and 18. Empty below 8 values.
 */
export function rollingOrigins(n: number, horizon: number): Origin[] {
  const capped = Math.min(horizon, Math.floor(n / 3));
  const step = Math.max(1, Math.floor(capped / 2));
  const origins: Origin[] = [];
  for (let index = 0; index < ORIGINS_MAX; index += 1) {
    const observations = n - capped - index * step;
    if (capped < 1 || observations < KNOWN_MIN || (index > 0 && 2 * observations < n)) break;
    origins.push({ observations, horizon: capped });
  }
  return origins;
}
