/**
 * An origin of a backtest: the number of values known at the origin, and the number of later periods that are compared.
 */
export type Origin = { observations: number; horizon: number };

const ORIGINS_MAX = 3;
/**
 * Minimum number of known values at an origin. A fit to fewer values does not show how well the method fits all values.
 */
const KNOWN_MIN = 6;

/**
 * Returns the rolling origins of a backtest of `n` values, latest first. The first origin is at n - h, with h capped at
 * a third of the values. Up to two more origins follow, each max(1, floor(h / 2)) earlier, as long as at least half of
 * the values are known. An origin with fewer than 6 known values is left out. Example: 30 values and a horizon of 6
 * give the origins 24, 21 and 18.
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
