import { expect } from 'chai';
import fc from 'fast-check';
import { denseCholesky, invertLower, solveCholesky } from '#lib/numerics/optimisation/dense-cholesky.ts';
import { lowerFactor } from '#lib/numerics/scenario/lower-cholesky.ts';

const matrices = fc
  .integer({ min: 1, max: 11 })
  .chain((size) =>
    fc.array(fc.array(fc.nat(100), { minLength: size, maxLength: size }), {
      minLength: size,
      maxLength: size,
    }),
  )
  .map((rows) => {
    const size = rows.length;
    const matrix = new Float64Array(size * size);
    rows.forEach((one, i) =>
      rows.forEach((other, j) => {
        matrix[i * size + j] = one.reduce((sum, value, k) => sum + value * other[k]!, i === j ? 1 : 0);
      }),
    );
    return { size, matrix };
  });

describe('denseCholesky', () => {
  it('equals the factor of a plain implementation to the bit, for any size', () => {
    fc.assert(
      fc.property(matrices, ({ size, matrix }) => {
        const verdict = denseCholesky(matrix, size);
        const plain = lowerFactor(matrix, size)!;
        if (!verdict.ok) return;
        expect(verdict.lower).to.deep.equal(plain);
      }),
    );
  });

  it('gives a factor that solves systems and can be inverted', () => {
    fc.assert(
      fc.property(matrices, ({ size, matrix }) => {
        const verdict = denseCholesky(matrix, size);
        if (!verdict.ok) return;
        const x = solveCholesky(verdict.lower, size, matrix.slice(0, size));
        // The right-hand side is the first column of the matrix, so the solution is the first unit vector.
        x.forEach((value, i) => expect(value).to.be.closeTo(i === 0 ? 1 : 0, 1e-4));
        const inverse = invertLower(verdict.lower, size);
        for (let i = 0; i < size; i += 1)
          for (let j = 0; j < size; j += 1) {
            let product = 0;
            for (let k = 0; k < size; k += 1)
              product += verdict.lower[i * size + k]! * inverse[k * size + j]!;
            expect(product).to.be.closeTo(i === j ? 1 : 0, 1e-6);
          }
      }),
    );
  });

  it('rejects equal rows, a variance of 0, NaN and infinity, and reports the row', () => {
    expect(denseCholesky(Float64Array.of(1, 1, 1, 1), 2)).to.deep.equal({ ok: false, at: 1, pivot: 0 });
    expect(denseCholesky(Float64Array.of(0), 1)).to.deep.equal({ ok: false, at: 0, pivot: 0 });
    expect(denseCholesky(Float64Array.of(1, 1, 1, 1 + 1e-13), 2).ok).to.equal(false);
    expect(denseCholesky(Float64Array.of(1, 1, 1, 1 + 1e-11), 2).ok).to.equal(true);
    expect(denseCholesky(Float64Array.of(Number.NaN), 1).ok).to.equal(false);
    expect(denseCholesky(Float64Array.of(1, 0, 0, Infinity), 2).ok).to.equal(false);
  });
});
