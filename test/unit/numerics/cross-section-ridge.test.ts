import { expect } from 'chai';
import fc from 'fast-check';
import { Matrix, inverse, solve } from 'ml-matrix';
import { crossSectionRidge } from '#lib/numerics/cross-section-ridge.ts';
import { mean, standardDeviation } from '#lib/numerics/descriptive.ts';

type Section = { x: number[][]; y: number[] };

const exposure = fc.oneof(
  fc.constant(0),
  fc.integer({ min: 1, max: 100 }).map((value) => value / 100),
);

/**
 * A return whose absolute value is 0 or at least 1e-9. Multiplication by a power
 * of two is exact for such a number, but not for a subnormal number.
 */
const monthlyReturn = fc.integer({ min: -5e8, max: 5e8 }).map((value) => value / 1e9);

/** Cross-sections of 3 columns, none of which is constant. */
const section: fc.Arbitrary<Section> = fc
  .array(fc.tuple(exposure, exposure, exposure, monthlyReturn), {
    minLength: 5,
    maxLength: 40,
  })
  .map((rows) => ({ x: rows.map(([a, b, c]) => [a, b, c]), y: rows.map(([, , , value]) => value) }))
  .filter(({ x }) => [0, 1, 2].every((k) => standardDeviation(column(x, k), { ddof: 0 }) > 0.01));

const lambdas = fc.constantFrom(1e-3, 0.1, 1, 30);

function column(x: readonly (readonly number[])[], k: number): number[] {
  return x.map((row) => row[k]!);
}

function fit({ x, y }: Section, lambda: number) {
  const columns = x[0]!.length;
  const products = new Matrix(columns, columns);
  const sums = new Float64Array(columns);
  const crossProducts = new Float64Array(columns);
  x.forEach((row, i) => {
    row.forEach((value, k) => {
      sums[k]! += value;
      crossProducts[k]! += value * y[i]!;
      for (let l = k; l < columns; l += 1) products.set(k, l, products.get(k, l) + value * row[l]!);
    });
  });
  return crossSectionRidge({ observations: y.length, sums, products, crossProducts, meanY: mean(y) }, lambda);
}

function fitted(input: Section, lambda: number) {
  const verdict = fit(input, lambda);
  if (!verdict.ok) throw new Error(`not identifiable: ${verdict.pivot}`);
  return verdict.fit;
}

describe('crossSectionRidge', () => {
  it('equals the closed form for one column', () => {
    const { intercept, coefficients, effectiveParameters } = fitted({ x: [[0], [1]], y: [1, 3] }, 1);
    expect(coefficients[0]).to.be.closeTo(1, 1e-15);
    expect(intercept).to.be.closeTo(1.5, 1e-15);
    expect(effectiveParameters).to.be.closeTo(1.5, 1e-15);
    expect(fitted({ x: [[0], [1]], y: [1, 3] }, 0).coefficients[0]).to.be.closeTo(2, 1e-15);
  });

  it('satisfies the normal equations', () => {
    fc.assert(
      fc.property(section, lambdas, (input, lambda) => {
        const { intercept, coefficients } = fitted(input, lambda);
        const residuals = input.x.map(
          (row, i) =>
            input.y[i]! - row.reduce((total, value, k) => total + value * coefficients[k]!, intercept),
        );
        expect(mean(residuals)).to.be.closeTo(0, 1e-13);
        [0, 1, 2].forEach((k) => {
          const values = column(input.x, k);
          const deviation = standardDeviation(values, { ddof: 0 });
          const product = mean(values.map((value, i) => value * residuals[i]!));
          expect(product).to.be.closeTo(lambda * deviation * deviation * coefficients[k]!, 1e-12);
        });
      }),
    );
  });

  it('equals a ridge regression on standardised columns with the penalty lambda times n, in original units', () => {
    fc.assert(
      fc.property(section, lambdas, (input, lambda) => {
        const n = input.y.length;
        const deviations = [0, 1, 2].map((k) => standardDeviation(column(input.x, k), { ddof: 0 }));
        const means = [0, 1, 2].map((k) => mean(column(input.x, k)));
        const z = new Matrix(
          input.x.map((row) => row.map((value, k) => (value - means[k]!) / deviations[k]!)),
        );
        const gram = z
          .transpose()
          .mmul(z)
          .add(Matrix.eye(3).mul(lambda * n));
        const centred = Matrix.columnVector(input.y.map((value) => value - mean(input.y)));
        const expected = solve(gram, z.transpose().mmul(centred));
        const { coefficients, effectiveParameters } = fitted(input, lambda);
        [0, 1, 2].forEach((k) => {
          expect(coefficients[k]! * deviations[k]!).to.be.closeTo(expected.get(k, 0), 1e-10);
        });
        const hat = z.mmul(inverse(gram)).mmul(z.transpose());
        expect(effectiveParameters).to.be.closeTo(1 + hat.trace(), 1e-9);
      }),
    );
  });

  it('does not depend on the scale of the exposures or, except for the intercept, on the level of y', () => {
    fc.assert(
      fc.property(section, lambdas, (input, lambda) => {
        const plain = fitted(input, lambda);
        const scaled = fitted({ ...input, x: input.x.map((row) => row.map((value) => value * 8)) }, lambda);
        const shifted = fitted({ ...input, y: input.y.map((value) => value + 0.25) }, lambda);
        plain.coefficients.forEach((coefficient, k) => {
          expect(scaled.coefficients[k]! * 8).to.equal(coefficient);
          expect(shifted.coefficients[k]!).to.be.closeTo(coefficient, 1e-11);
        });
        expect(shifted.intercept).to.be.closeTo(plain.intercept + 0.25, 1e-11);
        expect(scaled.effectiveParameters).to.equal(plain.effectiveParameters);
      }),
    );
  });

  it('gives the mean of y for a very large lambda and least squares for a lambda of 0', () => {
    fc.assert(
      fc.property(section, (input) => {
        const heavy = fitted(input, 1e12);
        expect(Math.max(...heavy.coefficients.map(Math.abs))).to.be.below(1e-9);
        expect(heavy.intercept).to.be.closeTo(mean(input.y), 1e-9);
        expect(heavy.effectiveParameters).to.be.closeTo(1, 1e-9);
      }),
    );
    const x = [
      [0, 1],
      [1, 0],
      [1, 1],
      [0, 0],
      [0.5, 0],
    ];
    const y = x.map(([a, b]) => 0.01 + 0.02 * a! - 0.03 * b!);
    const light = fitted({ x, y }, 0);
    expect(light.intercept).to.be.closeTo(0.01, 1e-15);
    expect(light.coefficients[0]).to.be.closeTo(0.02, 1e-15);
    expect(light.coefficients[1]).to.be.closeTo(-0.03, 1e-15);
    expect(light.effectiveParameters).to.equal(3);
  });

  it('rejects collinear columns only without a penalty', () => {
    const oneHot = { x: [0, 1, 0, 1, 0, 1].map((value) => [value, 1 - value]), y: [1, 2, 3, 4, 5, 6] };
    const verdict = fit(oneHot, 0);
    expect(verdict.ok).to.equal(false);
    expect(verdict).to.have.property('pivot').that.is.at.most(1e-12);
    expect(fit(oneHot, 1e-14).ok).to.equal(false);
    expect(fit(oneHot, 1e-6).ok).to.equal(true);
  });

  it('rejects a column without variance for any penalty', () => {
    for (const lambda of [0, 0.1, 100]) {
      expect(fit({ x: [[1], [1], [1]], y: [1, 2, 3] }, lambda)).to.deep.equal({ ok: false, pivot: 0 });
    }
  });

  it('gives coefficients of exactly 0 if y is constant', () => {
    const { coefficients, intercept } = fitted({ x: [[0], [1], [0.5]], y: [0.25, 0.25, 0.25] }, 0.1);
    expect(coefficients[0]).to.equal(0);
    expect(intercept).to.equal(0.25);
  });
});
