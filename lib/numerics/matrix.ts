import { Matrix } from 'ml-matrix';

/** Builds a matrix from its elements. Example: `matrixOf(2, 2, (row, column) => row + column)` is [[0, 1], [1, 2]]. */
export function matrixOf(
  rows: number,
  columns: number,
  element: (row: number, column: number) => number,
): Matrix {
  const matrix = new Matrix(rows, columns);
  for (let row = 0; row < rows; row += 1)
    for (let column = 0; column < columns; column += 1) matrix.set(row, column, element(row, column));
  return matrix;
}

/**
 * Returns the elements row by row, for loops that read them millions of times. Example: [[1, 2], [3, 4]] gives [1, 2,
 * 3, 4].
 */
export function rowMajor(matrix: Matrix): Float64Array {
  const { rows, columns } = matrix;
  const elements = new Float64Array(rows * columns);
  for (let row = 0; row < rows; row += 1)
    for (let column = 0; column < columns; column += 1)
      elements[row * columns + column] = matrix.get(row, column);
  return elements;
}
