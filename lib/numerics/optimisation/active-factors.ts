import type { LinearRange } from './linear-range.ts';

/**
 * A row is linearly dependent on the binding rows if the length of its independent part, relative to the
 * length of the row, is below this bound.
 */
const INDEPENDENT_MIN = 1e-10;

export type ActiveFactors = ReturnType<typeof activeFactors>;

/**
 * Creates the factors of the normals N of the binding constraints, for a dual active set method: J with J J'
 * = G^-1, and the triangular R with J'N = [R; 0]. J1 are the first columns of J, one for each binding
 * constraint, and J2 are the others. The columns of J are contiguous. They overwrite `inverse`, which
 * initially holds the rows of L^-1.
 *
 * `direction` computes, for a constraint with normal n: `primal` z = J2 J2' n, `dual` r = R^-1 J1' n, and
 * `curvature` z'n. `add` and `drop` update J and R. `add` adds the normal of the last call of `direction`.
 * Source: Goldfarb and Idnani (Mathematical Programming 27, 1983), section 4; Golub and Van Loan, "Matrix
 * Computations" (2013), 5.1 and 6.5.
 */
export function activeFactors(inverse: Float64Array, size: number) {
  const columns = inverse;
  /** Column k of R, with k + 1 numbers. */
  const triangle: Float64Array[] = [];
  const projected = new Float64Array(size);
  const primal = new Float64Array(size);
  const dual = new Float64Array(size);
  const factors = { primal, dual, curvature: 0, isDependent: true, direction, add, drop };

  function direction({ index, value }: LinearRange, sign: number): void {
    const count = triangle.length;
    let whole = 0;
    let outside = 0;
    for (let k = 0; k < size; k += 1) {
      const row = k * size;
      let total = 0;
      for (let at = 0; at < index.length; at += 1) total += columns[row + index[at]!]! * value[at]!;
      total *= sign;
      projected[k] = total;
      whole += total * total;
      if (k >= count) outside += total * total;
    }
    factors.curvature = outside;
    factors.isDependent = !(outside > INDEPENDENT_MIN * INDEPENDENT_MIN * whole);
    primal.fill(0);
    if (!factors.isDependent) for (let k = count; k < size; k += 1) addColumn(k, projected[k]!);
    for (let k = count - 1; k >= 0; k -= 1) {
      let rest = projected[k]!;
      for (let l = k + 1; l < count; l += 1) rest -= triangle[l]![k]! * dual[l]!;
      dual[k] = rest / triangle[k]![k]!;
    }
  }

  function addColumn(k: number, factor: number): void {
    if (factor === 0) return;
    const row = k * size;
    for (let i = 0; i < size; i += 1) primal[i]! += factor * columns[row + i]!;
  }

  /** Reflects the columns J2 so that the new normal has a component only in the first of these columns. */
  function add(): void {
    const count = triangle.length;
    const length = Math.sqrt(factors.curvature);
    const head = projected[count]!;
    const image = head > 0 ? -length : length;
    const last = size - 1;
    const column = new Float64Array(count + 1);
    for (let k = 0; k < count; k += 1) column[k] = projected[k]!;
    if (count === last) {
      column[count] = head;
      triangle.push(column);
      return;
    }
    column[count] = image;
    // The Householder vector is v = d - image e1, in the coordinates of the columns J2. J2 v is z minus
    // `image` times the first of these columns.
    const square = 2 * (factors.curvature - image * head);
    const first = count * size;
    const reflected = new Float64Array(size);
    for (let i = 0; i < size; i += 1) reflected[i] = primal[i]! - image * columns[first + i]!;
    for (let k = count; k < size; k += 1) {
      const factor = (2 * (k === count ? head - image : projected[k]!)) / square;
      if (factor === 0) continue;
      const row = k * size;
      for (let i = 0; i < size; i += 1) columns[row + i]! -= factor * reflected[i]!;
    }
    triangle.push(column);
  }

  /** Removes a column of R. Rotations make R triangular again, and are also applied to J. */
  function drop(at: number): void {
    triangle.splice(at, 1);
    for (let k = at; k < triangle.length; k += 1) {
      const [a, b] = [triangle[k]![k]!, triangle[k]![k + 1]!];
      const length = Math.sqrt(a * a + b * b);
      if (b === 0 || length === 0) {
        triangle[k] = triangle[k]!.slice(0, k + 1);
        continue;
      }
      const [cosine, sine] = [a / length, b / length];
      for (let l = k; l < triangle.length; l += 1) {
        const column = triangle[l]!;
        const [upper, below] = [column[k]!, column[k + 1]!];
        column[k] = cosine * upper + sine * below;
        column[k + 1] = cosine * below - sine * upper;
      }
      triangle[k] = triangle[k]!.slice(0, k + 1);
      const [one, other] = [k * size, (k + 1) * size];
      for (let i = 0; i < size; i += 1) {
        const [first, second] = [columns[one + i]!, columns[other + i]!];
        columns[one + i] = cosine * first + sine * second;
        columns[other + i] = cosine * second - sine * first;
      }
    }
  }

  return factors;
}
