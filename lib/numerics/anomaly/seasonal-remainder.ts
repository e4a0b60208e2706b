import { stl } from '#lib/numerics/stl/stl.ts';

/** The smoother of the season over the years: the least that the authors of STL advise. */
const SEASONAL_WIDTH = 7;
/** The seasons, from the last one back, that are foretold to learn how far off that is. */
const SEASONS_MAX = 50;

/**
 * What is left of a series without its trend and its season, by robust STL, which outliers do not bend.
 *
 * Needs more than two whole periods. Source: Cleveland, Cleveland, McRae and Terpenning, "STL" (1990).
 */
export function seasonalRemainder(values: Float64Array, period: number): Float64Array {
  return decompose(values, period).remainder;
}

/**
 * What is left of values that follow a past without a gap: less the last trend of that past and its last season, over and
 * over. They do not change what was learnt.
 */
export function remainderAhead(past: Float64Array, period: number, values: ArrayLike<number>): Float64Array {
  const { trend, seasonal } = decompose(past, period);
  const n = past.length;
  return Float64Array.from(
    { length: values.length },
    (_, ahead) => values[ahead]! - trend[n - 1]! - seasonal[n - period + (ahead % period)]!,
  );
}

/**
 * What is left of the last whole seasons of a past, 50 at most, each foretold from what came before it alone: how far off
 * `remainderAhead` is where nothing is strange. Needs more than three whole periods, for one season at least.
 */
export function forecastRemainders(past: Float64Array, period: number): Float64Array {
  const seasons = Math.min(SEASONS_MAX, Math.ceil(past.length / period) - 3);
  const parts: number[] = [];
  for (let back = seasons; back >= 1; back -= 1) {
    const origin = past.length - back * period;
    parts.push(...remainderAhead(past.subarray(0, origin), period, past.subarray(origin, origin + period)));
  }
  return Float64Array.from(parts);
}

function decompose(values: Float64Array, period: number) {
  return stl(values, { period, seasonal: SEASONAL_WIDTH, robust: true });
}
