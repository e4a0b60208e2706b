import { Matrix } from 'ml-matrix';
import { rowMajor } from '../matrix.ts';

/**
 * Returns the lower Cholesky factor L of a symmetric matrix A = L L', column by column with `s -= L L` in ascending
 * order. The order of operations is part of every sealed hash. Only the lower triangle of A is read.
 *
 * Returns null if a pivot is not above 0, because the matrix is then not positive definite.
 * Source: Golub and Van Loan, "Matrix Computations" (2013), algorithm 4.2.1 by dot products.
 *
 * Example: the factor of [[4, 2], [2, 3]] is [[2, 0], [1, sqrt 2]].
 */
export function lowerCholesky(matrix: Matrix): Matrix | null {
  const lower = lowerFactor(rowMajor(matrix), matrix.rows);
  return lower && Matrix.from1DArray(matrix.rows, matrix.rows, lower);
}

/**
 * Returns the factor of `lowerCholesky` for elements given row by row. For loops that factor thousands of small
 * matrices.
 */
export function lowerFactor(elements: Float64Array, size: number): Float64Array | null {
  const lower = new Float64Array(size * size);
  for (let j = 0; j < size; j += 1) {
    let pivot = elements[j * size + j]!;
    for (let k = 0; k < j; k += 1) pivot -= lower[j * size + k]! * lower[j * size + k]!;
    if (!(pivot > 0)) return null;
    const root = Math.sqrt(pivot);
    lower[j * size + j] = root;
    for (let i = j + 1; i < size; i += 1) {
      let rest = elements[i * size + j]!;
      for (let k = 0; k < j; k += 1) rest -= lower[i * size + k]! * lower[j * size + k]!;
      lower[i * size + j] = rest / root;
    }
  }
  return lower;
}

/** Solves L y = b in place, for lower triangular L. */
export function forwardSolve(lower: Matrix, b: Float64Array): Float64Array {
  return solveForward(rowMajor(lower), lower.rows, b);
}

/** Solves L y = b like `forwardSolve`, for elements given row by row and many right-hand sides. */
export function solveForward(lower: Float64Array, size: number, b: Float64Array): Float64Array {
  for (let i = 0; i < size; i += 1) {
    let rest = b[i]!;
    for (let k = 0; k < i; k += 1) rest -= lower[i * size + k]! * b[k]!;
    b[i] = rest / lower[i * size + i]!;
  }
  return b;
}

/** Solves L' x = y in place, for lower triangular L. */
export function backwardSolve(lower: Matrix, y: Float64Array): Float64Array {
  for (let i = lower.rows - 1; i >= 0; i -= 1) {
    let rest = y[i]!;
    for (let k = i + 1; k < lower.rows; k += 1) rest -= lower.get(k, i) * y[k]!;
    y[i] = rest / lower.get(i, i);
  }
  return y;
}
