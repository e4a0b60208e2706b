import type { Matrix } from 'ml-matrix';
import { rowMajor } from './matrix.ts';

const SWEEPS_MAX = 60;

/**
 * Eigenvalues of a symmetric matrix, ascending, by Jacobi rotations in a fixed order from exactly specified operations.
 *
 * Shapes: `matrix` D-by-D; it is left as it is. Errors: none; 60 sweeps at most, where five to ten are usual.
 * Source: Golub and Van Loan, "Matrix Computations" (2013), algorithm 8.5.2 (cyclic by row).
 *
 * Example: of [[2, 1], [1, 2]] they are [1, 3].
 */
export function symmetricEigenvalues(matrix: Matrix): Float64Array {
  const size = matrix.rows;
  const a = rowMajor(matrix);
  for (let sweep = 0; sweep < SWEEPS_MAX; sweep += 1) {
    let [outside, inside] = [0, 0];
    for (let i = 0; i < size; i += 1)
      for (let j = 0; j < size; j += 1) {
        if (i === j) inside += a[i * size + j]! * a[i * size + j]!;
        else outside += a[i * size + j]! * a[i * size + j]!;
      }
    if (outside <= 1e-32 * inside) break;
    for (let p = 0; p < size; p += 1) for (let q = p + 1; q < size; q += 1) rotate(a, size, p, q);
  }
  return Float64Array.from({ length: size }, (_, i) => a[i * size + i]!).sort();
}

/** Makes the element p, q zero by a rotation of both rows and both columns. */
function rotate(a: Float64Array, size: number, p: number, q: number): void {
  const apart = a[p * size + q]!;
  if (apart === 0) return;
  const tau = (a[q * size + q]! - a[p * size + p]!) / (2 * apart);
  const t = (tau >= 0 ? 1 : -1) / (Math.abs(tau) + Math.sqrt(1 + tau * tau));
  const c = 1 / Math.sqrt(1 + t * t);
  const s = t * c;
  for (let k = 0; k < size; k += 1) {
    const [one, other] = [a[k * size + p]!, a[k * size + q]!];
    a[k * size + p] = c * one - s * other;
    a[k * size + q] = s * one + c * other;
  }
  for (let k = 0; k < size; k += 1) {
    const [one, other] = [a[p * size + k]!, a[q * size + k]!];
    a[p * size + k] = c * one - s * other;
    a[q * size + k] = s * one + c * other;
  }
}
