/** Minimum pivot, relative to its diagonal element, for which a matrix counts as positive definite. */
export const PIVOT_MIN = 1e-12;

/**
 * The factor, or the row `at` of the first pivot that is too small. `pivot` is relative to the diagonal
 * element. For a covariance matrix, it is the share of the variance of this row that the rows before it do
 * not explain.
 */
export type CholeskyVerdict = { ok: true; lower: Float64Array } | { ok: false; at: number; pivot: number };

/**
 * Returns the lower Cholesky factor L of a symmetric matrix A = L L', row by row. Each element subtracts its products in
 * ascending order, so the result is the same on every machine. Only the lower triangle of A is read.
 *
 * Shapes: `matrix` is n-by-n, row-major; so is `lower`, with zeros above the diagonal.
 * Refuses a pivot that is not above 1e-12 of its diagonal element, and NaN.
 * Source: Golub and Van Loan, "Matrix Computations" (2013), algorithm 4.2.1.
 *
 * Example: [4, 2, 2, 3] gives [2, 0, 1, sqrt 2].
 */
export function denseCholesky(matrix: Float64Array, size: number): CholeskyVerdict {
  const lower = new Float64Array(size * size);
  for (let i = 0; i < size; i += 1) {
    const row = i * size;
    let j = 0;
    for (; j + 4 <= i; j += 4) fourElements(lower, matrix, size, row, j);
    for (; j < i; j += 1) {
      let rest = matrix[row + j]!;
      for (let k = 0; k < j; k += 1) rest -= lower[row + k]! * lower[j * size + k]!;
      lower[row + j] = rest / lower[j * size + j]!;
    }
    const diagonal = matrix[row + i]!;
    let pivot = diagonal;
    for (let k = 0; k < i; k += 1) pivot -= lower[row + k]! * lower[row + k]!;
    if (!(diagonal > 0 && pivot > PIVOT_MIN * diagonal && pivot < Infinity)) {
      return { ok: false, at: i, pivot: diagonal > 0 ? pivot / diagonal : 0 };
    }
    lower[row + i] = Math.sqrt(pivot);
  }
  return { ok: true, lower };
}

/** Computes four elements of a row at once, so that the processor can compute their sums in parallel. */
function fourElements(lower: Float64Array, matrix: Float64Array, size: number, row: number, j: number): void {
  const [first, second, third, fourth] = [j * size, (j + 1) * size, (j + 2) * size, (j + 3) * size];
  let a = matrix[row + j]!;
  let b = matrix[row + j + 1]!;
  let c = matrix[row + j + 2]!;
  let d = matrix[row + j + 3]!;
  for (let k = 0; k < j; k += 1) {
    const value = lower[row + k]!;
    a -= value * lower[first + k]!;
    b -= value * lower[second + k]!;
    c -= value * lower[third + k]!;
    d -= value * lower[fourth + k]!;
  }
  a /= lower[first + j]!;
  b = (b - a * lower[second + j]!) / lower[second + j + 1]!;
  c = (c - a * lower[third + j]! - b * lower[third + j + 1]!) / lower[third + j + 2]!;
  d -= a * lower[fourth + j]!;
  d -= b * lower[fourth + j + 1]!;
  d = (d - c * lower[fourth + j + 2]!) / lower[fourth + j + 3]!;
  lower[row + j] = a;
  lower[row + j + 1] = b;
  lower[row + j + 2] = c;
  lower[row + j + 3] = d;
}

/** Solves L L' x = b in place, for the first `size` numbers of `b`. */
export function solveCholesky(lower: Float64Array, size: number, b: Float64Array): Float64Array {
  for (let i = 0; i < size; i += 1) {
    const row = i * size;
    let rest = b[i]!;
    for (let k = 0; k < i; k += 1) rest -= lower[row + k]! * b[k]!;
    b[i] = rest / lower[row + i]!;
  }
  for (let i = size - 1; i >= 0; i -= 1) {
    const row = i * size;
    const value = b[i]! / lower[row + i]!;
    b[i] = value;
    // The loop reads rows of L, which are contiguous in memory, and subtracts each solved unknown from the
    // equations above it.
    for (let k = 0; k < i; k += 1) b[k]! -= lower[row + k]! * value;
  }
  return b;
}

/**
 * Returns the inverse of a lower triangular matrix, row-major and lower triangular. The rows of the inverse are built
 * from the rows before them.
 */
export function invertLower(lower: Float64Array, size: number): Float64Array {
  const inverse = new Float64Array(size * size);
  for (let i = 0; i < size; i += 1) {
    const row = i * size;
    const diagonal = lower[row + i]!;
    for (let k = 0; k < i; k += 1) {
      const factor = lower[row + k]!;
      if (factor === 0) continue;
      const other = k * size;
      for (let j = 0; j <= k; j += 1) inverse[row + j]! -= factor * inverse[other + j]!;
    }
    for (let j = 0; j < i; j += 1) inverse[row + j]! /= diagonal;
    inverse[row + i] = 1 / diagonal;
  }
  return inverse;
}
