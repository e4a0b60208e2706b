import type { ForecastHistory } from '#lib/forecasting/forecasts.schema.ts';
import type { Sum } from '#lib/numerics/reconciliation/hierarchy.ts';

/** The largest difference between a total and its parts that counts as rounding, as a share of their size. */
export const ROUNDING_SHARE = 0.005;

/** A period in which a total of the history is not the sum of its parts. `sum` is the index of the sum. */
export type HistoryGap = { sum: number; period: string; total: number; parts: number };

/**
 * Returns the first sum that does not hold in the history, with its latest such period. Only periods in which the total
 * and all of its parts have values are compared. A difference up to 0.5 % of the larger side counts as rounding.
 */
export function historyGap(
  sums: readonly Sum[],
  histories: readonly ForecastHistory[],
): HistoryGap | undefined {
  const values = histories.map((history) => new Map(history.map(({ period, value }) => [period, value])));
  for (const [sum, { total, parts }] of sums.entries()) {
    for (const { period, value } of histories[total]!.toReversed()) {
      const added = parts.map((part) => values[part]!.get(period) ?? null);
      if (value === null || added.includes(null)) continue;
      const given = added as number[];
      const size = given.reduce((sizes, each) => sizes + Math.abs(each), 0);
      const ofParts = given.reduce((one, other) => one + other, 0);
      if (Math.abs(value - ofParts) > ROUNDING_SHARE * Math.max(Math.abs(value), size))
        return { sum, period, total: value, parts: ofParts };
    }
  }
  return undefined;
}
