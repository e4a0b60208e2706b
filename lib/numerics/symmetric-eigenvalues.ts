import { EigenvalueDecomposition, type Matrix } from 'ml-matrix';

/**
 * Eigenvalues of a symmetric matrix, ascending, by the decomposition of ml-matrix: Householder's reduction to three
 * diagonals and the implicit QL algorithm, of + - * / and square roots in a fixed order.
 *
 * Shapes: `matrix` D-by-D, D at least 1; it is left as it is. Errors: those of the decomposition on an empty matrix or
 * one that is not square.
 * Source: Golub and Van Loan, "Matrix Computations" (2013), 8.3; the routines tred2 and tql2 of EISPACK.
 *
 * Example: of [[2, 1], [1, 2]] they are [1, 3].
 */
export function symmetricEigenvalues(matrix: Matrix): Float64Array {
  return Float64Array.from(new EigenvalueDecomposition(matrix, { assumeSymmetric: true }).realEigenvalues);
}
