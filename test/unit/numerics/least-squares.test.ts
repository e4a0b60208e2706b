import { expect } from 'chai';
import fc from 'fast-check';
import { leastSquares } from '#lib/numerics/least-squares.ts';

const value = fc.double({ min: -1, max: 1, noNaN: true });
const table = fc.array(fc.tuple(value, value, value), { minLength: 6, maxLength: 40 });

describe('leastSquares', () => {
  it('equals values computed by hand for one regressor', () => {
    const { intercept, slopes, rSquared, deviation } = leastSquares([[1, 2, 3]], 3)([3, 5, 7]);
    expect(intercept).to.be.closeTo(1, 1e-14);
    expect(slopes[0]).to.be.closeTo(2, 1e-14);
    expect(rSquared).to.be.closeTo(1, 1e-14);
    expect(deviation).to.be.closeTo(0, 1e-14);
  });

  it('has residuals that are orthogonal to the regressors and sum to 0', () => {
    fc.assert(
      fc.property(table, (rows) => {
        const [x, z, y] = [0, 1, 2].map((place) => rows.map((row) => row[place]!)) as [
          number[],
          number[],
          number[],
        ];
        const { residuals, rSquared } = leastSquares([x, z], rows.length)(y);
        const along = (column: number[]) => column.reduce((sum, each, t) => sum + each * residuals[t]!, 0);
        for (const column of [x, z, x.map(() => 1)]) expect(along(column)).to.be.closeTo(0, 1e-6);
        if (rSquared !== null) expect(rSquared).to.be.within(0, 1);
      }),
    );
  });

  it('gives a slope of 0 to constant regressors and to multiples of an earlier regressor', () => {
    const x = [1, 2, 3, 5];
    const { slopes } = leastSquares([x, x.map((each) => 2 * each), [4, 4, 4, 4]], 4)([2, 4, 6, 10]);
    expect([...slopes]).to.deep.equal([2, 0, 0]);
  });

  it('has an R squared of 0 without regressors, and of null if y is constant', () => {
    expect(leastSquares([], 3)([1, 2, 3])).to.deep.include({ intercept: 2, rSquared: 0 });
    expect(leastSquares([[1, 2, 3]], 3)([5, 5, 5])).to.deep.include({ rSquared: null, deviation: 0 });
    expect(leastSquares([[1]], 1)([5])).to.deep.include({ intercept: 5, deviation: 0 });
  });

  it('throws if the lengths of regressors and y differ', () => {
    expect(() => leastSquares([[1, 2]], 3)).to.throw(RangeError);
    expect(() => leastSquares([[1, 2]], 2)([1])).to.throw(RangeError);
    expect(() => leastSquares([], 0)).to.throw(RangeError);
  });
});
