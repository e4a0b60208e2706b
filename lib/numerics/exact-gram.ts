/**
 * A sparse matrix of integers, one row per symbol. Row i has its entries at `start[i]` to `start[i + 1]`. Each entry
 * has its `column`, its value in micro-units (`micro`, an integer from 0 to 1,000,000) and the same value in units
 * (`value`, micro / 1e6).
 */
export type SparseRows = {
  rows: number;
  columns: number;
  start: Int32Array;
  column: Int32Array;
  micro: Float64Array;
  value: Float64Array;
};

/**
 * The exact Gram matrix: column counts, column sums in micro-units, and products in squared micro-units (K-by-K,
 * row-major, only k <= l filled).
 */
export type ExactGram = { counts: Int32Array; sums: Float64Array; products: Float64Array };

const ROWS_MAX = 9_007;

/**
 * Returns the Gram matrix of all rows in exact integers. Doubles hold integers up to 2^53 exactly, and a product is at
 * most 1e12. For up to 9,007 rows, the sums are therefore exact in any order, also after rows are subtracted. Throws a
 * `RangeError` for more rows.
 *
 * Example: for the rows (1 unit) and (0.5 units) of one column, `sums` is [1500000] and `products` [1250000000000].
 */
export function exactGram(matrix: SparseRows): ExactGram {
  if (matrix.rows > ROWS_MAX) throw new RangeError(`a sum over ${matrix.rows} rows may not be exact`);
  const gram = emptyGram(matrix.columns);
  for (let row = 0; row < matrix.rows; row += 1) addRow(gram, matrix, row, 1);
  return gram;
}

export function emptyGram(columns: number): ExactGram {
  return {
    counts: new Int32Array(columns),
    sums: new Float64Array(columns),
    products: new Float64Array(columns * columns),
  };
}

/**
 * Sets `gram` to the Gram matrix of all rows except the `missing` rows, given the Gram matrix `whole` of all rows.
 * Allocates nothing.
 */
export function gramWithout(
  gram: ExactGram,
  whole: ExactGram,
  matrix: SparseRows,
  missing: { rows: Int32Array; count: number },
): void {
  gram.counts.set(whole.counts);
  gram.sums.set(whole.sums);
  gram.products.set(whole.products);
  for (let i = 0; i < missing.count; i += 1) addRow(gram, matrix, missing.rows[i]!, -1);
}

function addRow({ counts, sums, products }: ExactGram, matrix: SparseRows, row: number, sign: 1 | -1): void {
  const { columns, column, micro } = matrix;
  const end = matrix.start[row + 1]!;
  for (let a = matrix.start[row]!; a < end; a += 1) {
    const k = column[a]!;
    const x = sign * micro[a]!;
    counts[k]! += sign;
    sums[k]! += x;
    for (let b = a; b < end; b += 1) products[k * columns + column[b]!]! += x * micro[b]!;
  }
}
