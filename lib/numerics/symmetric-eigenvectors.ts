const TOLERANCE = 1 / 4503599627370496;
const SWEEPS_MAX = 100;

/** Eigenvalues of a matrix in no particular order, and the eigenvectors: vector k is the column k of an n-by-n matrix. */
export type Eigenvectors = { values: Float64Array; vectors: Float64Array };

/**
 * Returns the eigenvalues and eigenvectors of a symmetric matrix by cyclic Jacobi rotations, with + - * / and square
 * roots in a fixed order. A rotation is left out if |a_pq| is at most 2^-52 sqrt(|a_pp a_qq|).
 *
 * Shapes: `matrix` is n-by-n, row-major, and is not changed; the upper triangle is read. `n` is 0 or more. The vectors
 * are orthonormal. Errors: `RangeError` on another length, on a number that is not finite, and after 100 sweeps.
 * Source: Golub and Van Loan, "Matrix Computations" (2013), 8.5.2 and 8.5.3.
 *
 * Example: [[2, 1], [1, 2]] has the eigenvalues 1 and 3.
 */
export function symmetricEigenvectors(matrix: ArrayLike<number>, n: number): Eigenvectors {
  if (matrix.length !== n * n) throw new RangeError(`${matrix.length} numbers are not a matrix of ${n} rows`);
  const a = Float64Array.from(matrix);
  if (!a.every((each) => Number.isFinite(each))) throw new RangeError('a matrix element is not finite');
  const vectors = new Float64Array(n * n);
  for (let k = 0; k < n; k += 1) vectors[k * n + k] = 1;
  for (let sweep = 0; sweep < SWEEPS_MAX; sweep += 1) {
    let rotations = 0;
    for (let p = 0; p < n; p += 1)
      for (let q = p + 1; q < n; q += 1) if (rotate(a, vectors, { n, p, q })) rotations += 1;
    if (rotations === 0)
      return { values: Float64Array.from({ length: n }, (_, k) => a[k * n + k]!), vectors };
  }
  throw new RangeError(`the eigenvalues did not converge in ${SWEEPS_MAX} sweeps`);
}

/** Makes a_pq zero by a rotation. Returns whether a rotation was needed. */
function rotate(
  a: Float64Array,
  vectors: Float64Array,
  { n, p, q }: { n: number; p: number; q: number },
): boolean {
  const off = a[p * n + q]!;
  const [first, second] = [a[p * n + p]!, a[q * n + q]!];
  if (Math.abs(off) <= TOLERANCE * Math.sqrt(Math.abs(first)) * Math.sqrt(Math.abs(second))) return false;
  const tau = (second - first) / (2 * off);
  const t = (tau < 0 ? -1 : 1) / (Math.abs(tau) + Math.sqrt(1 + tau * tau));
  const c = 1 / Math.sqrt(1 + t * t);
  const s = t * c;
  // Only the upper triangle is kept up to date.
  for (let k = 0; k < n; k += 1) {
    if (k === p || k === q) continue;
    const [ip, iq] = [k < p ? k * n + p : p * n + k, k < q ? k * n + q : q * n + k];
    const [ap, aq] = [a[ip]!, a[iq]!];
    a[ip] = c * ap - s * aq;
    a[iq] = s * ap + c * aq;
  }
  a[p * n + p] = first - t * off;
  a[q * n + q] = second + t * off;
  a[p * n + q] = 0;
  for (let k = 0; k < n; k += 1) {
    const [vp, vq] = [vectors[k * n + p]!, vectors[k * n + q]!];
    vectors[k * n + p] = c * vp - s * vq;
    vectors[k * n + q] = s * vp + c * vq;
  }
  return true;
}
