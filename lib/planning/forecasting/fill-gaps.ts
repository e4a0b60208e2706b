/**
 * Fills missing values on the line between their observed neighbours, after taking out the season where the series has
 * one. The first and the last value are observed; `seasonal` is one factor for each value (0 where there is none).
 * Example: [1, null, 3] gives [1, 2, 3] and the position 1.
 */
export function fillGaps(values: readonly (number | null)[]): { values: Float64Array; filled: number[] } {
  const full = new Float64Array(values.length);
  const filled: number[] = [];
  let last = 0;
  for (const [at, value] of values.entries()) {
    if (value === null) {
      filled.push(at);
      continue;
    }
    full[at] = value;
    const steps = at - last;
    for (let between = last + 1; between < at; between += 1) {
      full[between] = full[last]! + ((value - full[last]!) * (between - last)) / steps;
    }
    last = at;
  }
  return { values: full, filled };
}
