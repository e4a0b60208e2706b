import { expect } from 'chai';
import fc from 'fast-check';
import { symmetricEigenvectors } from '#lib/numerics/symmetric-eigenvectors.ts';

describe('symmetricEigenvectors', () => {
  it('gives orthonormal vectors with A v = lambda v for random matrices', () => {
    const matrix = fc.integer({ min: 0, max: 7 }).chain((n) =>
      fc.record({
        n: fc.constant(n),
        lower: fc.array(fc.double({ min: -9, max: 9, noNaN: true }), { minLength: n * n, maxLength: n * n }),
      }),
    );
    fc.assert(
      fc.property(matrix, ({ n, lower }) => {
        const a = lower.map((_, at) => lower[Math.max(at, (at % n) * n + Math.floor(at / n))]!);
        const { values, vectors } = symmetricEigenvectors(a, n);
        for (let k = 0; k < n; k += 1)
          for (let row = 0; row < n; row += 1) {
            let [product, scalar] = [0, 0];
            for (let j = 0; j < n; j += 1) {
              product += a[row * n + j]! * vectors[j * n + k]!;
              scalar += vectors[j * n + row]! * vectors[j * n + k]!;
            }
            expect(product).to.be.closeTo(values[k]! * vectors[row * n + k]!, 1e-12);
            expect(scalar).to.be.closeTo(row === k ? 1 : 0, 1e-13);
          }
      }),
    );
  });

  it('has the value of its example, and keeps diagonal and zero matrices', () => {
    expect([...symmetricEigenvectors([2, 1, 1, 2], 2).values].sort((a, b) => a - b)).to.deep.equal([1, 3]);
    expect([...symmetricEigenvectors([3, 0, 0, 1], 2).values]).to.deep.equal([3, 1]);
    expect([...symmetricEigenvectors([0, 0, 0, 0], 2).vectors]).to.deep.equal([1, 0, 0, 1]);
  });

  it('gives accurate small eigenvalues of a badly scaled matrix', () => {
    const { values } = symmetricEigenvectors([1e12, 1, 1, 1e-6], 2);
    expect(Math.min(...values) / (1e-6 - 1e-12)).to.be.closeTo(1, 1e-9);
  });

  it('rejects a wrong length and numbers that are not finite', () => {
    expect(() => symmetricEigenvectors([1, 2, 3], 2)).to.throw(RangeError);
    expect(() => symmetricEigenvectors([1, NaN, NaN, 1], 2)).to.throw(RangeError);
  });
});
