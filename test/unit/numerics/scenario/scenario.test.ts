import { expect } from 'chai';
import fc from 'fast-check';
import { Matrix } from 'ml-matrix';
import { conditionalNormal } from '#lib/numerics/scenario/conditional-normal.ts';
import { drawPaths } from '#lib/numerics/scenario/draw-paths.ts';
import { drawScenarios, type ScenarioLaw } from '#lib/numerics/scenario/draw-scenarios.ts';
import { lowerCholesky } from '#lib/numerics/scenario/lower-cholesky.ts';
import { sampleStatistics } from '#lib/numerics/scenario/sample-statistics.ts';
import { scenarioLaw } from '#lib/numerics/scenario/scenario-law.ts';
import { repetitions } from '../../../support/repetitions.ts';

const moments = {
  mean: Float64Array.of(0.01, -0.02, 0.03),
  covariance: new Matrix([
    [0.04, 0.01, 0.0],
    [0.01, 0.09, 0.02],
    [0.0, 0.02, 0.16],
  ]),
};
const lawOf = (degrees: number | null, set: { place: number; value: number }[] = []): ScenarioLaw =>
  scenarioLaw(moments, set, degrees)!.law;

describe('scenarios', () => {
  it('are the same for any division among calls, with and without antithetic samples, normal and Student t', () => {
    for (const degrees of [null, 6, 7])
      for (const antithetic of [true, false]) {
        const law = lawOf(degrees);
        const whole = drawScenarios(law, { seed: 7, first: 0, count: 101, antithetic });
        fc.assert(
          fc.property(fc.integer({ min: 0, max: 101 }), (cut) => {
            const parts = [
              ...drawScenarios(law, { seed: 7, first: 0, count: cut, antithetic }),
              ...drawScenarios(law, { seed: 7, first: cut, count: 101 - cut, antithetic }),
            ];
            expect(parts).to.deep.equal([...whole]);
          }),
          { numRuns: 20 },
        );
      }
  });

  it('have the given values of fixed factors, even if all factors are fixed', () => {
    const set = [0, 1, 2].map((place) => ({ place, value: place / 10 }));
    const some = drawScenarios(lawOf(null, set.slice(0, 2)), {
      seed: 1,
      first: 0,
      count: 10,
      antithetic: false,
    });
    for (let at = 0; at < 30; at += 3) expect([some[at], some[at + 1]]).to.deep.equal([0, 0.1]);
    const all = drawScenarios(lawOf(4, set), { seed: 1, first: 0, count: 2, antithetic: false });
    expect([...all]).to.deep.equal([0, 0.1, 0.2, 0, 0.1, 0.2]);
  });

  it('are in pairs whose mean is the mean of the regime if they are antithetic', () => {
    const matrix = drawScenarios(lawOf(6), { seed: 3, first: 0, count: 200, antithetic: true });
    for (let at = 0; at < matrix.length; at += 6)
      for (let d = 0; d < 3; d += 1)
        expect((matrix[at + d]! + matrix[at + 3 + d]!) / 2).to.be.closeTo(moments.mean[d]!, 1e-15);
  });

  // Antithetic pairs have the exact mean. The variances have a tolerance of 12 / sqrt(pairs), at least five
  // standard errors in each case. The seed is fixed.
  it('have the mean and the variances of the regime, for normal and Student t', () => {
    for (const degrees of [null, 6, 9]) {
      const matrix = drawScenarios(lawOf(degrees), {
        seed: 5,
        first: 0,
        count: 2 * repetitions.draws,
        antithetic: true,
      });
      for (let d = 0; d < 3; d += 1) {
        const { mean, deviation } = sampleStatistics(matrix.filter((_, at) => at % 3 === d));
        expect(mean).to.be.closeTo(moments.mean[d]!, 1e-12);
        expect((deviation * deviation) / moments.covariance.get(d, d)).to.be.closeTo(
          1,
          12 / Math.sqrt(repetitions.draws),
        );
      }
    }
  });

  it('cannot be drawn if a covariance is singular', () => {
    const singular = { mean: new Float64Array(2), covariance: Matrix.ones(2, 2) };
    expect(scenarioLaw(singular, [], null)).to.equal(null);
    expect(conditionalNormal(singular, [0, 1], [1, 2])).to.equal(null);
    expect(lowerCholesky(new Matrix([[0]]))).to.equal(null);
  });
});

describe('the paths of a regime model', () => {
  const law = {
    means: [Float64Array.of(0.01, 0.02), Float64Array.of(-0.05, -0.04)],
    lowers: [
      new Matrix([
        [0.02, 0],
        [0.01, 0.03],
      ]),
      new Matrix([
        [0.1, 0],
        [0.05, 0.1],
      ]),
    ],
    transitions: new Matrix([
      [0.9, 0.1],
      [0.3, 0.7],
    ]),
  };

  it('are the same for any division among calls', () => {
    const of = (first: number, count: number) =>
      drawPaths(law, { seed: 9, first, count, horizon: 5, start: [0.5, 0.5] });
    const whole = of(0, 40);
    const [one, other] = [of(0, 13), of(13, 27)];
    expect([...one.cumulative, ...other.cumulative]).to.deep.equal([...whole.cumulative]);
    expect([...one.regimes, ...other.regimes]).to.deep.equal([...whole.regimes]);
  });

  it('begin in the given regime', () => {
    const { regimes } = drawPaths(law, { seed: 9, first: 0, count: 30, horizon: 1, start: [0, 1] });
    expect(new Set(regimes)).to.deep.equal(new Set([1]));
  });
});

describe('sampleStatistics', () => {
  it('returns a skewness of null for constant values, and throws on an empty list', () => {
    const of = sampleStatistics(new Float64Array(10).fill(0.1));
    expect([of.skewness, of.excessKurtosis, of.min, of.max]).to.deep.equal([null, null, 0.1, 0.1]);
    expect(() => sampleStatistics(new Float64Array(0))).to.throw(RangeError);
    expect(sampleStatistics(Float64Array.of(-1, 0, 1)).skewness).to.equal(0);
  });

  it('returns an expected shortfall at least as large as the value at risk', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 1, maxLength: 300 }),
        (values) => {
          for (const { valueAtRisk, expectedShortfall } of sampleStatistics(Float64Array.from(values)).risk)
            expect(expectedShortfall).to.be.at.least(valueAtRisk - 1e-12);
        },
      ),
    );
  });
});
