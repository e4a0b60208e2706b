/**
 * Returns the functions that scale monthly values to months of equal length (value x mean days / days of the month) and
 * scale forecasts back. `days` has one count for each of the `observations`, then one for each period of the horizon.
 * The mean is over the observations. Missing values stay missing.
 * Example: [20, 22] with days [20, 22, 21] becomes [21, 21], and a forecast of 21 is scaled back to 21.
 * Source: Hyndman and Athanasopoulos, "Forecasting: Principles and Practice" (3rd ed.), section 3.1.
 */
export function calendarAdjustment(days: readonly number[], observations: number) {
  let total = 0;
  for (let at = 0; at < observations; at += 1) total += days[at]!;
  const mean = total / observations;
  return {
    mean,
    adjust: (value: number | null, at: number) => (value === null ? null : (value * mean) / days[at]!),
    restore: (value: number, step: number) => (value * days[observations + step]!) / mean,
  };
}
