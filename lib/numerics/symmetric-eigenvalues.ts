import { EigenvalueDecomposition, type Matrix } from 'ml-matrix';

/**
 * Returns the eigenvalues of a symmetric matrix, ascending, by the decomposition of ml-matrix: Householder's
 * tridiagonal reduction and the implicit QL algorithm, with + - * / and square roots in a fixed order.
 *
 * Shapes: `matrix` is D-by-D, with D at least 1, and is not changed.
 * Errors: throws the errors of the decomposition on an empty matrix or a matrix that is not square.
 * Source: Golub and Van Loan, "Matrix Computations" (2013), 8.3; the routines tred2 and tql2 of EISPACK.
 *
 * Example: the eigenvalues of [[2, 1], [1, 2]] are [1, 3].
 */
export function symmetricEigenvalues(matrix: Matrix): Float64Array {
  return Float64Array.from(new EigenvalueDecomposition(matrix, { assumeSymmetric: true }).realEigenvalues);
}
