import { adjustSeason, chooseSeason, type Adjusted } from '#lib/forecasting/methods/seasonal-adjustment.ts';

/** Number of rounds in which the season is estimated again. Further rounds no longer change the season. */
const ROUNDS = 5;

/**
 * Fills missing values between their observed neighbours (see `alongSeason`). The first and the last value must be
 * observed. Returns the filled series and the filled positions. Example: [1, null, 3] gives [1, 2, 3] and the position
 * 1.
 */
export function fillGaps(
  values: readonly (number | null)[],
  period: number,
): { values: Float64Array; filled: number[] } {
  const filled = values.flatMap((value, at) => (value === null ? [at] : []));
  const given = Float64Array.from(values, (value) => value ?? 0);
  return { values: filled.length > 0 ? alongSeason(given, filled, period) : given, filled };
}

/**
 * Replaces the values at some ascending positions by a straight line between their neighbours. If the filled series has
 * a season, interpolates in the seasonally adjusted series instead. Repeats this interpolation a few times, because
 * each round improves the estimate of the season. Source: Moritz and Bartz-Beielstein, "imputeTS: time series missing
 * value imputation in R", R Journal 9 (2017), `na_seadec`, iterated.
 */
export function alongSeason(
  values: Float64Array,
  positions: readonly number[],
  period: number,
): Float64Array {
  const replaced = onLines(values, positions);
  for (let round = 0; round < ROUNDS; round += 1) {
    const series = { values: replaced, period };
    const adjusted = adjustSeason(series, chooseSeason(series));
    if (adjusted.kind === 'none') break;
    const level = onLines(adjusted.values, positions);
    for (const at of positions) replaced[at] = withSeason(adjusted, level[at]!, at);
  }
  return replaced;
}

/** Adds the season back to a value of the adjusted series. */
function withSeason({ kind, indices }: Adjusted, value: number, at: number): number {
  if (!indices) return value;
  const index = indices[at % indices.length]!;
  return kind === 'additive' ? value + index : value * index;
}

/** Interpolates linearly. At either end, where one neighbour is missing, the other neighbour's value is used. */
function onLines(values: Float64Array, positions: readonly number[]): Float64Array {
  const replaced = values.slice();
  const isMissing = new Set(positions);
  for (const at of positions) {
    let [before, after] = [at - 1, at + 1];
    while (isMissing.has(before)) before -= 1;
    while (isMissing.has(after)) after += 1;
    if (before < 0) replaced[at] = values[after]!;
    else if (after >= values.length) replaced[at] = values[before]!;
    else {
      const share = (at - before) / (after - before);
      replaced[at] = values[before]! + share * (values[after]! - values[before]!);
    }
  }
  return replaced;
}
