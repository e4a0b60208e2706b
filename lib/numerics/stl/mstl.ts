import { stl } from './stl.ts';

export type MultipleDecomposition = {
  /** The periods that were used, shortest first. `seasonal` has the seasonal component of each period. */
  periods: readonly number[];
  seasonals: readonly Float64Array[];
  trend: Float64Array;
  remainder: Float64Array;
};

/**
 * Decomposes a series with one or several seasonal periods by STL. Each component is estimated from the series without
 * the other components, in two rounds. One usable period needs only one round.
 *
 * A period is skipped if the series is not longer than two such periods. The seasonal windows are 11, 15, 19, ... from
 * the shortest period to the longest. Without any usable period there are no seasonal components, and the trend is 0.
 * Source: Bandara, Hyndman and Bergmeir, "MSTL: a seasonal-trend decomposition algorithm for time series with multiple
 * seasonal patterns", International Journal of Operational Research (2022), algorithm 1.
 */
export function mstl(
  values: Float64Array,
  periods: readonly number[],
  { robust = false }: { robust?: boolean } = {},
): MultipleDecomposition {
  const used = [...new Set(periods)]
    .filter((period) => period > 1 && values.length > 2 * period)
    .sort((a, b) => a - b);
  const seasonals = used.map(() => new Float64Array(values.length));
  const rest = values.slice();
  let trend = new Float64Array(values.length);
  for (let round = 0; round < (used.length > 1 ? 2 : 1); round++)
    used.forEach((period, index) => {
      const seasonal = seasonals[index]!;
      for (let t = 0; t < rest.length; t++) rest[t] = rest[t]! + seasonal[t]!;
      const parts = stl(rest, { period, seasonal: 11 + 4 * index, robust });
      seasonal.set(parts.seasonal);
      trend = Float64Array.from(parts.trend);
      for (let t = 0; t < rest.length; t++) rest[t] = rest[t]! - seasonal[t]!;
    });
  return { periods: used, seasonals, trend, remainder: rest.map((value, t) => value - trend[t]!) };
}
