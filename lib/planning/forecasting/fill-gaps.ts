import { adjustSeason, chooseSeason, type Adjusted } from '#lib/numerics/forecasting/seasonal-adjustment.ts';

/**
 * Fills missing values on the straight line between their observed neighbours; where the series so filled has a season,
 * once more with the season taken out, as Moritz and Bartz-Beielstein's "imputeTS" does (R Journal 9 (2017)). The first
 * and the last value are observed. Example: [1, null, 3] gives [1, 2, 3] and the position 1.
 */
export function fillGaps(
  values: readonly (number | null)[],
  period: number,
): { values: Float64Array; filled: number[] } {
  const filled = values.flatMap((value, at) => (value === null ? [at] : []));
  const straight = onLines(
    Float64Array.from(values, (value) => value ?? 0),
    filled,
  );
  return { values: filled.length > 0 ? alongSeason(straight, filled, period) : straight, filled };
}

/** Replaces the values at some positions, ascending, by what lies between their neighbours once the season is out. */
export function alongSeason(
  values: Float64Array,
  positions: readonly number[],
  period: number,
): Float64Array {
  const series = { values, period };
  const adjusted = adjustSeason(series, chooseSeason(series));
  if (adjusted.kind === 'none') return onLines(values, positions);
  const level = onLines(adjusted.values, positions);
  const replaced = values.slice();
  for (const at of positions) replaced[at] = withSeason(adjusted, level[at]!, at);
  return replaced;
}

/** A value of the adjusted series with its season again. */
export function withSeason({ kind, indices }: Adjusted, value: number, at: number): number {
  if (!indices) return value;
  const index = indices[at % indices.length]!;
  return kind === 'additive' ? value + index : value * index;
}

/** At either end, where there is no neighbour on one side, the other one's value is taken. */
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
