/**
 * Solves a symmetric positive definite system of k equations by Cholesky. The factor overwrites the lower triangle of
 * `matrix`. `out` must not be `right`. Returns false, without a solution, if the matrix is not positive definite.
 *
 * Source: Golub and Van Loan, "Matrix Computations", 4th edition, algorithm 4.2.1.
 */
export function solvePositive(
  matrix: Float64Array,
  k: number,
  right: Float64Array,
  out: Float64Array,
): boolean {
  for (let i = 0; i < k; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = matrix[i * k + j]!;
      for (let m = 0; m < j; m++) sum -= matrix[i * k + m]! * matrix[j * k + m]!;
      if (i !== j) matrix[i * k + j] = sum / matrix[j * k + j]!;
      else if (sum > 0) matrix[i * k + i] = Math.sqrt(sum);
      else return false;
    }
  }
  for (let i = 0; i < k; i++) {
    let sum = right[i]!;
    for (let m = 0; m < i; m++) sum -= matrix[i * k + m]! * out[m]!;
    out[i] = sum / matrix[i * k + i]!;
  }
  for (let i = k - 1; i >= 0; i--) {
    let sum = out[i]!;
    for (let m = i + 1; m < k; m++) sum -= matrix[m * k + i]! * out[m]!;
    out[i] = sum / matrix[i * k + i]!;
  }
  return true;
}
