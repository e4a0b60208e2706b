import fc from 'fast-check';
import { denseCholesky } from '#lib/numerics/optimisation/dense-cholesky.ts';
import { linearRange, type LinearRange } from '#lib/numerics/optimisation/linear-range.ts';
import type { QuadraticProgram } from '#lib/numerics/optimisation/quadratic-program.ts';

/** Generates multiples of 1/4 from -1.5 to 1.5, so that equal numbers, zeros and equal rows occur often. */
export const coarse = fc.nat(12).map((value) => (value - 6) / 4);

type Parts = Partial<Omit<QuadraticProgram, 'matrix'>> & { matrix: readonly number[] };

/** Returns a program with this matrix, given row by row, and by default without constraints. */
export function programOf({ matrix, ...parts }: Parts): QuadraticProgram {
  const size = Math.sqrt(matrix.length);
  const flat = Float64Array.from(matrix);
  const verdict = denseCholesky(flat, size);
  if (!verdict.ok) throw new Error('the matrix is singular');
  return {
    size,
    matrix: flat,
    factor: verdict.lower,
    linear: new Float64Array(size),
    lower: new Float64Array(size).fill(-Infinity),
    upper: new Float64Array(size).fill(Infinity),
    rows: [],
    ...parts,
  };
}

/** Returns the positive definite matrix B B' + 0.1 I, row by row, for the rows of B. */
function matrixFrom(loadings: readonly (readonly number[])[]): number[] {
  return loadings.flatMap((one, i) =>
    loadings.map((other, j) => one.reduce((sum, value, k) => sum + value * other[k]!, i === j ? 0.1 : 0)),
  );
}

function rowFrom([values, min, width]: [number[], number, number]): LinearRange {
  return linearRange(values, {
    min: width === 3 ? -Infinity : min,
    max: width === 4 ? Infinity : min + width,
  });
}

/** Generates programs of 1 to 7 variables with bounds, equations and ranges. Some programs are infeasible. */
export const programs: fc.Arbitrary<QuadraticProgram> = fc.integer({ min: 1, max: 7 }).chain((size) => {
  const vector = fc.array(coarse, { minLength: size, maxLength: size });
  return fc
    .record({
      loadings: fc.array(fc.array(coarse, { minLength: 3, maxLength: 3 }), {
        minLength: size,
        maxLength: size,
      }),
      linear: vector,
      lower: vector,
      widths: fc.array(fc.nat(4), { minLength: size, maxLength: size }),
      rows: fc.array(fc.tuple(vector, coarse, fc.nat(4)), { maxLength: 5 }),
    })
    .map(({ loadings, linear, lower, widths, rows }) =>
      programOf({
        matrix: matrixFrom(loadings),
        linear: Float64Array.from(linear),
        lower: Float64Array.from(lower, (value, i) => (widths[i] === 4 ? -Infinity : value)),
        upper: Float64Array.from(lower, (value, i) => (widths[i] === 3 ? Infinity : value + widths[i]!)),
        rows: rows.map(rowFrom),
      }),
    );
});
