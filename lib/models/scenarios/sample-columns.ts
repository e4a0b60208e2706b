/** Returns one column of a matrix whose rows have `size` numbers. */
export function columnOf(
  matrix: Float64Array,
  { place, size }: { place: number; size: number },
): Float64Array {
  const column = new Float64Array(matrix.length / size);
  for (let row = 0; row < column.length; row += 1) column[row] = matrix[row * size + place]!;
  return column;
}

/** Rows per block. A block stays in the processor cache while its numbers are copied to the columns. */
const BLOCK = 256;

/** Returns all columns of a matrix whose rows have `size` numbers. */
export function columnsOf(matrix: Float64Array, size: number): Float64Array[] {
  const rows = matrix.length / size;
  const columns = Array.from({ length: size }, () => new Float64Array(rows));
  for (let start = 0; start < rows; start += BLOCK) {
    const end = Math.min(start + BLOCK, rows);
    for (let place = 0; place < size; place += 1) {
      const column = columns[place]!;
      for (let row = start; row < end; row += 1) column[row] = matrix[row * size + place]!;
    }
  }
  return columns;
}

/**
 * Returns the mean of each row of `size` numbers: the return of the equally weighted portfolio. The numbers are summed
 * from 0, in order.
 */
export function rowMeans(matrix: Float64Array, size: number): Float64Array {
  const means = new Float64Array(matrix.length / size);
  for (let row = 0; row < means.length; row += 1) {
    let total = 0;
    for (let place = 0; place < size; place += 1) total += matrix[row * size + place]!;
    means[row] = total / size;
  }
  return means;
}
