import { quantile } from 'simple-statistics';
import {
  disagreementOf,
  weightedError,
  wideningLogs,
  wideningOf,
  type WidthEvidence,
  type WidthModel,
} from '#lib/forecasting/engine/interval-widening.ts';
import { ascending } from '#lib/forecasting/engine/intervals.ts';
import { normalQuantile } from '#lib/numerics/normal-quantile.ts';
import type { Side } from './fit-widths.ts';
import { observationsOf, type LearningRow } from './learning-rows.ts';

/** A combined forecast, and the weights of its methods. */
export type Combined = { points: Float64Array; shares: { weight: number; key: string }[] };

/** Returns the measures that widen the intervals of a row. */
export function evidenceOf(row: LearningRow, { points, shares }: Combined): WidthEvidence {
  const had = shares.map(({ weight, key }) => {
    const method = row.methods[key];
    return {
      weight,
      error: method?.error ?? null,
      forecast: method ? { point: Float64Array.from(method.points) } : null,
    };
  });
  return {
    disagreement: disagreementOf(points, had),
    error: weightedError(had),
    change: row.change,
    observations: observationsOf(row),
  };
}

/** Returns the distance of a value from its point in the direction of a bound. */
function missOf(side: Side, value: number, point: number): number {
  return side === 'upper' ? value - point : point - value;
}

/** Returns the samples of a row that exponents are fitted to: one for each step. */
export function widthSamplesOf(
  row: LearningRow,
  points: Float64Array,
  { evidence, side }: { evidence: WidthEvidence; side: Side },
) {
  const logs = wideningLogs(Float64Array.from(row.width), evidence);
  return row.actual.flatMap((value, h) => {
    const [width, miss] = [row.width[h]!, missOf(side, value, points[h]!)];
    return width > 0 ? [{ logs: logs[h]!, miss, width, scale: row.scale }] : [];
  });
}

/**
 * Returns the half-widths of the intervals before they are multiplied by the factor and by the normal quantile of the
 * level.
 */
export function halfWidths(row: LearningRow, evidence: WidthEvidence, widths: WidthModel): Float64Array {
  const width = Float64Array.from(row.width);
  const widening = wideningOf(width, evidence, widths);
  return ascending(width.map((each, h) => each * widening[h]!));
}

/** Returns the distances of all values of the rows from their points, each divided by the result of `halfWidths`. */
export function ratiosOf(
  mine: readonly LearningRow[],
  {
    unseen,
    evidence,
    widths,
    side,
  }: {
    unseen: readonly Combined[];
    evidence: readonly WidthEvidence[];
    widths: WidthModel;
    side: Side;
  },
): number[] {
  return mine.flatMap((row, at) => {
    const half = halfWidths(row, evidence[at]!, widths);
    return row.actual.flatMap((value, h) =>
      half[h]! > 0 ? [missOf(side, value, unseen[at]!.points[h]!) / half[h]!] : [],
    );
  });
}

/**
 * Returns the factor by which the widths of a side must be multiplied so that half of the values outside an interval of
 * `level` per cent are beyond its bound.
 */
export function factorOf(ratios: readonly number[], level: number): number {
  const inside = 0.5 + level / 200;
  return quantile([...ratios], inside) / normalQuantile(inside);
}
