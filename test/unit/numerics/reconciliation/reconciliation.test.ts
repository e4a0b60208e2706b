import { expect } from 'chai';
import fc from 'fast-check';
import { Matrix } from 'ml-matrix';
import { hierarchyOf, type Hierarchy, type Sum } from '#lib/numerics/reconciliation/hierarchy.ts';
import { bottomUpMatrix, reconcilingMatrix } from '#lib/numerics/reconciliation/reconciling-matrix.ts';
import { shrunkErrorCovariance } from '#lib/numerics/reconciliation/shrunk-error-covariance.ts';

const hierarchy = (series: number, sums: readonly Sum[]): Hierarchy => {
  const found = hierarchyOf(series, sums);
  if (!found.ok) throw new Error(`${found.fault.code} at ${found.fault.at}`);
  return found.hierarchy;
};
const values = (matrix: Matrix) => matrix.to2DArray();

describe('The hierarchy of sums', () => {
  it('expands a total of totals to its leaves', () => {
    const found = hierarchy(5, [
      { total: 0, parts: [1, 2] },
      { total: 1, parts: [3, 4] },
    ]);
    expect(found.leaves).to.deep.equal([2, 3, 4]);
    expect(found.coefficients.map((row) => [...row])).to.deep.equal([
      [1, 1, 1],
      [0, 1, 1],
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ]);
    expect(found.order.map(({ total }) => total)).to.deep.equal([1, 0]);
  });

  it('accepts two sums of a total that come down to the same leaves', () => {
    const sums = [
      { total: 0, parts: [1, 2] },
      { total: 0, parts: [3, 4] },
      { total: 1, parts: [5, 6] },
      { total: 2, parts: [7, 8] },
      { total: 3, parts: [5, 7] },
      { total: 4, parts: [6, 8] },
    ];
    expect(hierarchy(9, sums).leaves).to.deep.equal([5, 6, 7, 8]);
  });

  it('refuses two sums of a total with different leaves, at the second sum', () => {
    const sums = [
      { total: 0, parts: [1, 2] },
      { total: 0, parts: [1, 3] },
    ];
    expect(hierarchyOf(4, sums)).to.deep.equal({ ok: false, fault: { code: 'contradiction', at: 1 } });
  });

  it('refuses a series that is a part of itself, at a sum of the circle', () => {
    expect(hierarchyOf(2, [{ total: 0, parts: [0, 1] }])).to.deep.include({
      fault: { code: 'circle', at: 0 },
    });
    const long = [
      { total: 0, parts: [1] },
      { total: 1, parts: [2, 4] },
      { total: 2, parts: [3] },
      { total: 3, parts: [1] },
    ];
    expect(hierarchyOf(5, long)).to.deep.include({ fault: { code: 'circle', at: 1 } });
  });
});

describe('The shrunk covariance of forecast errors', () => {
  it('is the diagonal for a single case, and refuses none', () => {
    const { covariance, shrinkage } = shrunkErrorCovariance(new Matrix([[2, -3]]));
    expect(shrinkage).to.equal(1);
    expect(covariance.diagonal()).to.deep.equal([4, 9]);
    expect(covariance.get(0, 1)).to.be.closeTo(0, 0);
    expect(() => shrunkErrorCovariance(Matrix.zeros(0, 2))).to.throw(RangeError);
  });

  it('keeps the covariance of errors that are always equal', () => {
    const { covariance, shrinkage } = shrunkErrorCovariance(
      new Matrix([
        [1, 1],
        [-1, -1],
        [1, 1],
      ]),
    );
    expect(shrinkage).to.be.closeTo(0, 1e-15);
    expect(covariance.get(0, 1)).to.be.closeTo(1, 1e-15);
  });

  it('has the variance 0 for a series without errors, and no correlation with it', () => {
    const { covariance } = shrunkErrorCovariance(
      new Matrix([
        [0, 1],
        [0, 2],
      ]),
    );
    expect(values(covariance)).to.deep.equal([
      [0, 0],
      [0, 2.5],
    ]);
  });
});

describe('The reconciling matrix', () => {
  const three = hierarchy(3, [{ total: 0, parts: [1, 2] }]);

  it('shares a gap equally among equally uncertain forecasts', () => {
    const found = reconcilingMatrix(three, Matrix.eye(3)).mmul(Matrix.columnVector([13, 4, 6]));
    for (const [at, value] of [12, 5, 7].entries()) expect(found.get(at, 0)).to.be.closeTo(value, 1e-13);
  });

  it('leaves a forecast without errors unchanged', () => {
    const found = reconcilingMatrix(three, Matrix.diag([0, 1, 1])).mmul(Matrix.columnVector([13, 4, 6]));
    expect(found.get(0, 0)).to.be.closeTo(13, 1e-9);
    expect(found.get(1, 0)).to.be.closeTo(5.5, 1e-9);
  });

  it('treats forecasts that are all without errors as equally uncertain', () => {
    const found = reconcilingMatrix(three, Matrix.zeros(3, 3));
    expect(values(found)).to.deep.equal(values(reconcilingMatrix(three, Matrix.eye(3))));
  });

  it('shares a gap by the variances if the errors of a total and its parts always cancel', () => {
    for (const scale of [1, 0.1]) {
      const row = [3, 1, 2].map((error) => scale * error);
      const { covariance, shrinkage } = shrunkErrorCovariance(new Matrix([row, row]));
      expect(shrinkage).to.be.closeTo(0, 1e-12);
      const found = reconcilingMatrix(three, covariance).mmul(Matrix.columnVector([14, 4, 6]));
      // The gap of 4 is shared in the ratio 9 : 1 : 4 of the variances.
      for (const [at, value] of [14 - 36 / 14, 4 + 4 / 14, 6 + 16 / 14].entries())
        expect(found.get(at, 0), String(scale)).to.be.closeTo(value, 1e-4);
    }
  });

  it('keeps the leaves if every total adds up all earlier ones, so that the equations cannot be solved', () => {
    const chain = Array.from({ length: 48 }, (_, at) => ({
      total: at + 2,
      parts: Array.from({ length: at + 2 }, (_, part) => part),
    }));
    const doubling = hierarchy(50, chain);
    const found = reconcilingMatrix(doubling, Matrix.eye(50));
    expect(values(found)).to.deep.equal(values(bottomUpMatrix(doubling)));
  });

  it('is the identity without totals', () => {
    expect(values(reconcilingMatrix(hierarchy(2, []), Matrix.eye(2)))).to.deep.equal(values(Matrix.eye(2)));
  });

  /** A random hierarchy of two levels, with its errors and base forecasts. */
  const cases = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 4 }).chain((sizes) => {
    const groups = sizes.length;
    const series = 1 + groups + sizes.reduce((sum, size) => sum + size, 0);
    let next = 1 + groups;
    const sums: Sum[] = [
      { total: 0, parts: Array.from({ length: groups }, (_, at) => at + 1) },
      ...sizes.map((size, at) => ({ total: at + 1, parts: Array.from({ length: size }, () => next++) })),
    ];
    const number = fc.integer({ min: -1_000, max: 1_000 });
    const row = fc.array(number, { minLength: series, maxLength: series });
    return fc.record({
      found: fc.constant(hierarchy(series, sums)),
      sums: fc.constant(sums),
      errors: fc.array(row, { minLength: 2, maxLength: 12 }),
      base: row,
    });
  });
  const isCoherent = (sums: readonly Sum[], of: readonly number[], within: number) =>
    sums.every(
      ({ total, parts }) => Math.abs(of[total]! - parts.reduce((sum, part) => sum + of[part]!, 0)) <= within,
    );

  it('makes any forecasts coherent, and leaves coherent ones unchanged', () => {
    fc.assert(
      fc.property(cases, ({ found, sums, errors, base }) => {
        const { covariance } = shrunkErrorCovariance(new Matrix(errors));
        const matrix = reconcilingMatrix(found, covariance);
        const scale = 1 + Math.max(...matrix.to1DArray().map(Math.abs));
        const once = matrix.mmul(Matrix.columnVector(base));
        expect(isCoherent(sums, once.to1DArray(), 1e-7 * scale)).to.equal(true);
        const added = bottomUpMatrix(found).mmul(Matrix.columnVector(base));
        const twice = matrix.mmul(added);
        for (const [at, value] of twice.to1DArray().entries())
          expect(value).to.be.closeTo(added.get(at, 0), 1e-7 * scale);
      }),
    );
  });

  it('never increases the variance of a forecast under the covariance it was given', () => {
    fc.assert(
      fc.property(cases, ({ found, errors }) => {
        const { covariance } = shrunkErrorCovariance(new Matrix(errors));
        const matrix = reconcilingMatrix(found, covariance);
        const after = matrix.mmul(covariance).mmul(matrix.transpose()).diagonal();
        const largest = Math.max(1, ...covariance.diagonal());
        for (const [at, before] of covariance.diagonal().entries())
          expect(after[at]!).to.be.at.most(before + 1e-6 * largest);
      }),
    );
  });
});
