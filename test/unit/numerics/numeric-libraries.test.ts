import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { CholeskyDecomposition, correlation, covariance, Matrix } from 'ml-matrix';
import { mean as simpleMean } from 'simple-statistics';
import { columnProducts } from '#lib/numerics/column-products.ts';
import { correlationMatrix } from '#lib/numerics/correlation.ts';
import { covarianceMatrix } from '#lib/numerics/covariance-matrix.ts';
import { mean } from '#lib/numerics/descriptive.ts';
import { rowMajor } from '#lib/numerics/matrix.ts';
import { backwardSolve, forwardSolve, lowerCholesky } from '#lib/numerics/scenario/lower-cholesky.ts';
import { symmetricEigenvalues } from '#lib/numerics/symmetric-eigenvalues.ts';

const root = new URL('../../../', import.meta.url);
const returns = new Matrix(
  readFileSync(new URL('test/golden/monthly_logret_10.csv', root), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(',').slice(1).map(Number)),
);
const columns = returns.transpose().to2DArray();
const matrix = covarianceMatrix(columns);
const library = new CholeskyDecomposition(matrix);
const ones = Matrix.ones(10, 1);

function hash(numbers: Float64Array): string {
  return createHash('sha256').update(new Uint8Array(numbers.buffer)).digest('hex').slice(0, 16);
}

/** Returns the largest difference between elements of two arrays, relative to the largest element. */
function difference(ours: Float64Array, theirs: Float64Array): number {
  const largest = (values: Float64Array) => values.reduce((max, each) => Math.max(max, Math.abs(each)), 0);
  return largest(ours.map((each, at) => each - theirs[at]!)) / largest(theirs);
}

describe('the record of numeric libraries', () => {
  it('lists only files that exist', () => {
    const record = readFileSync(new URL('docs/decisions/0001-numeric-libraries.md', root), 'utf8');
    const named = [...record.matchAll(/`((?:lib|test)\/[^`]+)`/g)].map(([, path]) => path!);
    expect(named).to.have.length.above(5);
    expect(named.filter((path) => !existsSync(new URL(path, root)))).to.deep.equal([]);
  });

  it('states the versions that package.json pins', () => {
    const { dependencies } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
    expect(dependencies).to.include({ 'ml-matrix': '6.15.1', 'simple-statistics': '7.12.1' });
  });
});

describe('routines of ml-matrix that sealed results depend on', () => {
  it('give the recorded results to the bit', () => {
    const found = {
      factor: hash(rowMajor(library.lowerTriangularMatrix)),
      solution: hash(rowMajor(library.solve(ones))),
      eigenvalues: hash(symmetricEigenvalues(matrix)),
    };
    expect(found).to.deep.equal({
      factor: '3e251c276e2327fa',
      solution: '22b3f4eae41cdbd0',
      eigenvalues: 'befb61187236ac96',
    });
  });
});

describe('the numerical kernels of Assay', () => {
  it('equal the routines of ml-matrix within the recorded tolerance', () => {
    const lower = lowerCholesky(matrix)!;
    const factor = [rowMajor(lower), rowMajor(library.lowerTriangularMatrix)] as const;
    expect(difference(...factor)).to.be.within(Number.MIN_VALUE, 1e-16);
    const solution = backwardSolve(lower, forwardSolve(lower, rowMajor(ones)));
    expect(difference(solution, rowMajor(library.solve(ones)))).to.be.below(1e-15);
    expect(difference(rowMajor(matrix), rowMajor(covariance(returns)))).to.be.below(1e-15);
    const ours = Float64Array.from(correlationMatrix(columns).flat() as number[]);
    expect(difference(ours, rowMajor(correlation(returns)))).to.be.below(1e-15);
    const means = (of: (values: number[]) => number) => Float64Array.from(columns, of);
    expect(difference(means(mean), means(simpleMean))).to.be.within(Number.MIN_VALUE, 1e-14);
  });

  it('equal the column products of ml-matrix to the bit', () => {
    const put = (row: number, to: Float64Array, at: number) => to.set(returns.getRow(row), at);
    const products = columnProducts(returns.rows, returns.columns, put);
    expect(rowMajor(products)).to.deep.equal(rowMajor(returns.gram()));
  });
});
