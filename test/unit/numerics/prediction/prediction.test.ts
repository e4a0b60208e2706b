import { expect } from 'chai';
import { Matrix } from 'ml-matrix';
import { uniformStream } from '#lib/numerics/uniform-stream.ts';
import { convexWeights } from '#lib/numerics/prediction/convex-weights.ts';
import { boostedValue, gradientBoosting } from '#lib/numerics/prediction/gradient-boosting.ts';
import { binOf, binThresholds } from '#lib/numerics/prediction/histogram-bins.ts';
import { ridge } from '#lib/numerics/prediction/ridge.ts';
import { iterated, vectorAutoregression } from '#lib/numerics/prediction/vector-autoregression.ts';

const rowsOf = (values: Float64Array, columns: number) =>
  Matrix.from1DArray(values.length / columns, columns, values);

const drawn = (length: number, sample = 0) => {
  const next = uniformStream({ seed: 3, domain: 4, sample });
  return Float64Array.from({ length }, next);
};

describe('ridge regression', () => {
  const x = drawn(300);
  const y = Float64Array.from({ length: 100 }, (_, i) => 1 + 2 * x[3 * i]! - 3 * x[3 * i + 1]!);

  it('recovers the coefficients of a linear relation without noise for a very small penalty', () => {
    const found = ridge(rowsOf(x, 3), y, [1e-6])!;
    expect(found.intercept).to.be.closeTo(1, 1e-4);
    [2, -3, 0].forEach((value, at) => expect(found.coefficients[at]).to.be.closeTo(value, 1e-4));
    for (const slope of ridge(rowsOf(x, 3), y, [1e9])!.coefficients) expect(slope).to.be.closeTo(0, 1e-8);
  });

  it('reports the leave-one-out error that separate fits without each row have', () => {
    const whole = ridge(rowsOf(x.slice(0, 60), 3), y.slice(0, 20), [1e-6])!;
    let squares = 0;
    for (let left = 0; left < 20; left += 1) {
      const kept = [...Array(20).keys()].filter((row) => row !== left);
      const found = ridge(
        new Matrix(kept.map((row) => x.subarray(3 * row, 3 * row + 3))),
        Float64Array.from(kept.map((row) => y[row]! + (row % 3) * 0.1)),
        [1e-6],
      )!;
      const reported = found.coefficients.reduce(
        (sum, each, j) => sum + each * x[3 * left + j]!,
        found.intercept,
      );
      squares += (y[left]! + (left % 3) * 0.1 - reported) ** 2;
    }
    const noisy = ridge(
      rowsOf(x.slice(0, 60), 3),
      y.slice(0, 20).map((value, row) => value + (row % 3) * 0.1),
      [1e-6],
    )!;
    expect(noisy.leaveOneOut).to.be.closeTo(squares / 20, 1e-6);
    expect(noisy.leaveOneOut).to.be.greaterThan(whole.leaveOneOut);
  });

  it('gives coefficients that scale with the unit of a column, and 0 for a constant column', () => {
    const plain = ridge(rowsOf(x, 3), y, [0.1])!;
    const scaled = ridge(
      rowsOf(
        x.map((value, at) => (at % 3 === 0 ? 1000 * value : at % 3 === 2 ? 0.1 : value)),
        3,
      ),
      y,
      [0.1],
    )!;
    const without = ridge(
      rowsOf(
        x.map((value, at) => (at % 3 === 2 ? 0.1 : value)),
        3,
      ),
      y,
      [0.1],
    )!;
    expect(scaled.coefficients[0]! * 1000).to.be.closeTo(without.coefficients[0]!, 1e-12);
    expect([scaled.coefficients[2], plain.coefficients[2] === 0]).to.deep.equal([0, false]);
  });
});

describe('a vector autoregression', () => {
  it('converges to its stationary value if it is iterated', () => {
    const model = {
      lags: 1,
      intercepts: Float64Array.of(1),
      matrices: [new Matrix([[0.5]])],
      covariance: new Matrix([[1]]),
    };
    expect([...iterated(model, Float64Array.of(8), 1)]).to.deep.equal([5]);
    expect(iterated(model, Float64Array.of(8), 60)[0]).to.be.closeTo(2, 1e-15);
  });

  it('is rejected if a column is constant or there are fewer rows than coefficients', () => {
    const still = Float64Array.from({ length: 80 }, (_, at) => (at % 2 === 0 ? 3 : at % 7));
    expect(vectorAutoregression(rowsOf(still, 2), 2)).to.equal(null);
    expect(vectorAutoregression(rowsOf(drawn(12), 3), 2)).to.equal(null);
  });
});

describe('boosted trees', () => {
  const x = drawn(400, 1);
  const y = Float64Array.from({ length: 200 }, (_, i) => (x[2 * i]! > 0.5 ? 1 : 0) * x[2 * i + 1]!);
  const options = { trees: 30, rate: 0.2, depth: 2, leafRowsMin: 10, bins: 255 };

  it('assign values to bins by thresholds between the values, with one bin per value if there are few values', () => {
    const thresholds = binThresholds(Float64Array.of(4, 1, 2, 2), 8);
    expect([...thresholds]).to.deep.equal([1.5, 3]);
    expect([0, 1.5, 2, 3, 9].map((value) => binOf(value, thresholds))).to.deep.equal([0, 0, 1, 1, 2]);
    expect(binThresholds(drawn(1_000), 16)).to.have.length(15);
    expect(binThresholds(Float64Array.of(5, 5), 4)).to.have.length(0);
  });

  it('have a lower training error with more trees', () => {
    const errors = [1, 5, 30].map((trees) => {
      const model = gradientBoosting(rowsOf(x, 2), y, { ...options, trees });
      return y.reduce((sum, value, i) => sum + (value - boostedValue(model, x.subarray(2 * i))) ** 2, 0);
    });
    expect(errors[0]).to.be.greaterThan(errors[1]!);
    expect(errors[1]).to.be.greaterThan(errors[2]!);
    const model = gradientBoosting(rowsOf(x, 2), y, options);
    for (const far of [-1e9, 1e9]) expect(boostedValue(model, [far, far])).to.be.within(-0.2, 1.2);
  });

  it('give the same predictions after a monotone transformation of the columns', () => {
    const bent = x.map((value) => value * value * value * 7 - 3);
    const [plain, other] = [
      gradientBoosting(rowsOf(x, 2), y, options),
      gradientBoosting(rowsOf(bent, 2), y, options),
    ];
    for (let i = 0; i < 200; i += 1)
      expect(boostedValue(other, bent.subarray(2 * i))).to.equal(boostedValue(plain, x.subarray(2 * i)));
  });
});

describe('the weights of an ensemble', () => {
  it('are at least 0, sum to 1 and have the smallest squared error of all such weights', () => {
    const errors = [0, 1, 2, 3].map((sample) => drawn(50, sample).map((u) => u - 0.4 + sample * 0.05));
    const loss = (weights: ArrayLike<number>) =>
      errors[0]!.reduce(
        (sum, _, t) => sum + errors.reduce((e, row, at) => e + weights[at]! * row[t]!, 0) ** 2,
        0,
      );
    const found = convexWeights(errors);
    expect(Math.min(...found)).to.be.at.least(0);
    expect(found.reduce((sum, each) => sum + each, 0)).to.be.closeTo(1, 1e-12);
    const others = drawn(2_000, 9);
    for (let at = 0; at < others.length; at += 4) {
      const raw = others.slice(at, at + 4);
      const total = raw.reduce((sum, each) => sum + each, 0);
      expect(loss(found)).to.be.at.most(loss(raw.map((each) => each / total)) + 1e-12);
    }
  });

  it('are equal if all members have the same errors', () => {
    expect([...convexWeights([new Float64Array(3), new Float64Array(3)])]).to.deep.equal([0.5, 0.5]);
  });
});
