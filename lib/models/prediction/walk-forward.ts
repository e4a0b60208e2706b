import { mean } from '#lib/numerics/descriptive.ts';
import { columnOf, rowsBefore, type PredictionTarget, type Series } from './series.ts';

/** A function that predicts, at each row of a series, the row `horizon` ahead. */
export type Teller = (series: Series) => Float64Array;

/** Out-of-sample predictions with the actual values. */
export type WalkForwardResult = {
  predicted: Float64Array;
  actual: Float64Array;
  /** The mean of the target over the rows that each prediction is based on. */
  means: Float64Array;
  /**
   * The value of the target `horizon` rows before the predicted row. For horizon 0 this is the mean of the target,
   * because no earlier value of the target is known.
   */
  lastValues: Float64Array;
  /** Number of rows in the first fit. */
  fittedRows: number;
};

/**
 * Holds out the last share of the rows and predicts them in blocks. The model of each block is fitted only to data
 * known when the first row of the block is predicted. Returns null if a fit fails.
 */
export function walkForward(
  series: Series,
  aim: PredictionTarget,
  { share, blocks, fit }: { share: number; blocks: number; fit(past: Series): Teller | null },
): WalkForwardResult | null {
  const rows = series.days.length;
  const first = rows - Math.floor(rows * share);
  const actual = columnOf(series, aim.target).slice(first);
  const all = columnOf(series, aim.target);
  const [predicted, means] = [new Float64Array(actual.length), new Float64Array(actual.length)];
  for (let block = 0; block < blocks; block += 1) {
    const [from, to] = [block, block + 1].map((at) => first + Math.floor((actual.length * at) / blocks)) as [
      number,
      number,
    ];
    if (from === to) continue;
    const known = knownBefore(from, aim);
    const predictor = fit(rowsBefore(series, known));
    if (!predictor) return null;
    const predictions = predictor(rowsBefore(series, to));
    const centre = mean(all.subarray(0, known));
    for (let row = from; row < to; row += 1) {
      predicted[row - first] = predictions[row - aim.horizon]!;
      means[row - first] = centre;
    }
  }
  const lastValues = actual.map((_, at) => (aim.horizon === 0 ? means[at]! : all[first + at - aim.horizon]!));
  return { predicted, actual, means, lastValues, fittedRows: knownBefore(first, aim) };
}

/** Returns the number of complete rows that are known when `row` is predicted. */
function knownBefore(row: number, { horizon }: PredictionTarget): number {
  return horizon === 0 ? row : row - horizon + 1;
}
