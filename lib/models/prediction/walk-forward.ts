import { mean } from '#lib/numerics/descriptive.ts';
import { columnOf, rowsBefore, type Aim, type Series } from './series.ts';

/** Tells at each row of a series the row `horizon` ahead. */
export type Teller = (series: Series) => Float64Array;

/** Rows that were told before they were known, with what came. */
export type Walked = {
  told: Float64Array;
  came: Float64Array;
  /** The mean of the target in the rows that each was told from. */
  means: Float64Array;
  /** The value of the target `horizon` rows before; of horizon 0 the mean again, for nothing else was known. */
  lastValues: Float64Array;
  /** Rows that the first fit had. */
  fittedRows: number;
};

/**
 * Holds the last share of the rows out and tells them in blocks, each by a model fitted to nothing but what was known when
 * its first row was told. Null where one of the fits fails.
 */
export function walkForward(
  series: Series,
  aim: Aim,
  { share, blocks, fit }: { share: number; blocks: number; fit(past: Series): Teller | null },
): Walked | null {
  const rows = series.days.length;
  const first = rows - Math.floor(rows * share);
  const came = columnOf(series, aim.target).slice(first);
  const all = columnOf(series, aim.target);
  const [told, means] = [new Float64Array(came.length), new Float64Array(came.length)];
  for (let block = 0; block < blocks; block += 1) {
    const [from, to] = [block, block + 1].map((at) => first + Math.floor((came.length * at) / blocks)) as [
      number,
      number,
    ];
    if (from === to) continue;
    const known = knownBefore(from, aim);
    const teller = fit(rowsBefore(series, known));
    if (!teller) return null;
    const predictions = teller(rowsBefore(series, to));
    const centre = mean(all.subarray(0, known));
    for (let row = from; row < to; row += 1) {
      told[row - first] = predictions[row - aim.horizon]!;
      means[row - first] = centre;
    }
  }
  const lastValues = came.map((_, at) => (aim.horizon === 0 ? means[at]! : all[first + at - aim.horizon]!));
  return { told, came, means, lastValues, fittedRows: knownBefore(first, aim) };
}

/** How many rows are known whole when `row` is told. */
function knownBefore(row: number, { horizon }: Aim): number {
  return horizon === 0 ? row : row - horizon + 1;
}
