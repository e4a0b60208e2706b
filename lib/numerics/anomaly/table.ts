/** A table of finite numbers: rows of D numbers each, row-major. */
export type Table = { values: Float64Array; dimensions: number };

/**
 * Score of each row, larger for more unusual rows, and the contribution of each column if the method computes
 * contributions.
 */
export type Scores = { scores: Float64Array; contributions?: Float64Array };

/** A method fitted to a reference. Scoring other rows does not change the fit. */
export type FittedDetector = {
  /** Scores the reference itself. Neighbour methods exclude each row from its own neighbourhood. */
  reference(): Scores;
  score(rows: Table): Scores;
};

/** Returns the values of one column. */
export function columnOf({ values, dimensions }: Table, column: number): Float64Array {
  const found = new Float64Array(values.length / dimensions);
  for (let row = 0; row < found.length; row += 1) found[row] = values[row * dimensions + column]!;
  return found;
}

export type Scaling = { means: Float64Array; deviations: Float64Array };

/** Numbers per block. A block stays in the first-level cache while its columns are processed. */
const BLOCK = 4_096;

/**
 * Returns the mean and population standard deviation of each column, summed in row order. A constant column has
 * deviation 1. Throws a `RangeError` without rows.
 */
export function scalingOf({ values, dimensions: D }: Table): Scaling {
  const rows = values.length / D;
  if (!(rows > 0)) throw new RangeError('the mean needs at least one row');
  const step = D * Math.ceil(BLOCK / D);
  const [means, squares] = [new Float64Array(D), new Float64Array(D)];
  for (let from = 0; from < values.length; from += step)
    addValues(means, values, from, Math.min(from + step, values.length));
  for (let d = 0; d < D; d += 1) means[d]! /= rows;
  for (let from = 0; from < values.length; from += step)
    addSquares(squares, values, from, Math.min(from + step, values.length), means);
  return { means, deviations: squares.map((sum) => Math.sqrt(sum / rows) || 1) };
}

/** Adds the values of a range of rows to the column sums. */
function addValues(sums: Float64Array, values: Float64Array, from: number, end: number): void {
  const D = sums.length;
  for (let d = 0; d < D; d += 1) {
    let sum = sums[d]!;
    for (let at = from + d; at < end; at += D) sum += values[at]!;
    sums[d] = sum;
  }
}

function addSquares(
  sums: Float64Array,
  values: Float64Array,
  from: number,
  end: number,
  means: Float64Array,
): void {
  const D = sums.length;
  for (let d = 0; d < D; d += 1) {
    const mean = means[d]!;
    let sum = sums[d]!;
    for (let at = from + d; at < end; at += D) sum += (values[at]! - mean) * (values[at]! - mean);
    sums[d] = sum;
  }
}

/** Returns the rows of a table in standard deviations from the mean of another table. */
export function scaled({ values, dimensions }: Table, scaling: Scaling): Table {
  const found = new Float64Array(values.length);
  for (let from = 0; from < values.length; from += dimensions) scaleRow(values, from, scaling, found, from);
  return { values: found, dimensions };
}

/** Scales one row, from an offset in one array to an offset in another. */
export function scaleRow(
  values: Float64Array,
  from: number,
  { means, deviations }: Scaling,
  to: Float64Array,
  at: number,
): void {
  for (let d = 0; d < means.length; d += 1) to[at + d] = (values[from + d]! - means[d]!) / deviations[d]!;
}
