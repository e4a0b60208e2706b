import type { Fraction } from '#lib/core/decimal.ts';
import { selectDifference } from '#lib/numerics/nonparametric/select-difference.ts';
import { shiftRank, type ShiftRank } from '#lib/numerics/nonparametric/shift-rank.ts';
import { SCALE } from './sorted-values.ts';

export type Shift = {
  estimate: Fraction;
  interval: { lower: Fraction; upper: Fraction; method: ShiftRank['method'] } | null;
};

/**
 * Returns the shift of Hodges and Lehmann from a baseline to the measured values: the median of all pairwise
 * differences, with an interval of at least 95 % by order statistics of the differences. The interval is null if the
 * samples are too small. Both lists are in ascending order, scaled by 10^8, and not empty.
 *
 * Source: Hodges and Lehmann, "Estimates of Location Based on Rank Tests" (Annals of Mathematical Statistics 1963).
 */
export function shiftOf(measured: readonly bigint[], baseline: readonly bigint[]): Shift {
  const pairs = measured.length * baseline.length;
  const at = (rank: number) => selectDifference(measured, baseline, rank);
  const [low, high] = [Math.floor((pairs + 1) / 2), Math.floor(pairs / 2) + 1];
  const found = shiftRank(measured.length, baseline.length);
  return {
    estimate: { numerator: at(low) + at(high), denominator: 2n * SCALE },
    interval: found && {
      lower: { numerator: at(found.rank), denominator: SCALE },
      upper: { numerator: at(pairs + 1 - found.rank), denominator: SCALE },
      method: found.method,
    },
  };
}
