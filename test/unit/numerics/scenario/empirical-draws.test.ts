import { expect } from 'chai';
import fc from 'fast-check';
import { Matrix } from 'ml-matrix';
import { pearson } from '#lib/numerics/correlation.ts';
import { drawCopula } from '#lib/numerics/scenario/draw-copula.ts';
import { drawRows } from '#lib/numerics/scenario/draw-rows.ts';
import { drawScenarios } from '#lib/numerics/scenario/draw-scenarios.ts';
import { scenarioLaw } from '#lib/numerics/scenario/scenario-law.ts';
import { weightedValues } from '#lib/numerics/weighted-quantile.ts';
import { repetitions } from '../../../support/repetitions.ts';

const rows = Float64Array.from({ length: 30 }, (_, at) => (at % 2 === 0 ? at / 2 : -at));
const weights = Float64Array.from({ length: 15 }, (_, at) => (at % 5 === 4 ? 0 : at + 1));
const data = { rows: Matrix.from1DArray(15, 2, rows), weights };

describe('rows resampled from data', () => {
  it('are the same for any division of the samples among calls', () => {
    const whole = drawRows(data, { seed: 7, first: 0, count: 101 });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 101 }), (cut) => {
        const parts = [
          ...drawRows(data, { seed: 7, first: 0, count: cut }),
          ...drawRows(data, { seed: 7, first: cut, count: 101 - cut }),
        ];
        expect(parts).to.deep.equal([...whole]);
      }),
      { numRuns: 20 },
    );
  });

  it('are complete rows of the data, drawn in proportion to their weights', () => {
    const drawn = drawRows(data, { seed: 1, first: 0, count: repetitions.draws });
    const counts = new Float64Array(15);
    let torn = 0;
    for (let at = 0; at < drawn.length; at += 2) {
      if (drawn[at + 1] !== rows[2 * drawn[at]! + 1]) torn += 1;
      counts[drawn[at]!]! += 1;
    }
    expect(torn).to.equal(0);
    const total = weights.reduce((one, other) => one + other, 0);
    // The tolerance is five standard errors of a share. The standard error is largest for a share of one
    // half.
    const within = 2.5 / Math.sqrt(repetitions.draws);
    for (const [at, count] of counts.entries())
      expect(count / repetitions.draws).to.be.closeTo(weights[at]! / total, weights[at] === 0 ? 0 : within);
  });

  it('cannot be drawn with invalid weights', () => {
    const part = { seed: 1, first: 0, count: 1 };
    for (const bad of [[0, 0], [1, -1], [NaN, 1], [Infinity, 1], [1]])
      expect(() => drawRows({ rows: new Matrix(2, 1), weights: Float64Array.from(bad) }, part)).to.throw(
        RangeError,
      );
    expect([...drawRows(data, { ...part, count: 0 })]).to.deep.equal([]);
  });
});

describe('a t copula with empirical margins', () => {
  const moments = {
    mean: Float64Array.of(5, -3),
    covariance: new Matrix([
      [4, -1.5],
      [-1.5, 1],
    ]),
  };
  const lawOf = (degrees: number | null, set: { place: number; value: number }[] = []) =>
    scenarioLaw(moments, set, degrees)!.law;
  const margins = [0, 1].map((place) =>
    weightedValues(
      rows.filter((_, at) => at % 2 === place),
      weights,
    ),
  );

  it('draws the same samples for any division among calls, for even and odd degrees of freedom', () => {
    for (const degrees of [6, 7]) {
      const of = (first: number, count: number) =>
        drawCopula(lawOf(degrees), margins, { seed: 3, first, count, antithetic: true });
      expect([...of(0, 33), ...of(33, 68)]).to.deep.equal([...of(0, 101)]);
    }
  });

  it('gives each factor the order of its t draws, and values within the range of its margin', () => {
    const part = { seed: 5, first: 0, count: 2_000, antithetic: false };
    const [own, plain] = [drawCopula(lawOf(4), margins, part), drawScenarios(lawOf(4), part)];
    for (const place of [0, 1]) {
      const [values, numbers] = [own, plain].map((of) => of.filter((_, at) => at % 2 === place));
      const order = [...numbers!.keys()].sort((one, other) => numbers![one]! - numbers![other]!);
      for (let at = 1; at < order.length; at += 1)
        expect(values![order[at]!]).to.be.at.least(values![order[at - 1]!]! - 1e-9);
      const { ascending } = margins[place]!;
      for (const value of values!) expect(value).to.be.within(ascending[0]!, ascending.at(-1)!);
    }
    expect(
      pearson(
        own.filter((_, at) => at % 2 === 0),
        own.filter((_, at) => at % 2 === 1),
      ),
    ).to.be.below(-0.5);
  });

  it('does not depend on the mean and the scale of the t distribution', () => {
    const part = { seed: 5, first: 0, count: 50, antithetic: true };
    const doubled = { mean: Float64Array.of(0, 9), covariance: moments.covariance.clone().mul(4) };
    expect([...drawCopula(scenarioLaw(doubled, [], 6)!.law, margins, part)]).to.deep.equal([
      ...drawCopula(lawOf(6), margins, part),
    ]);
  });

  it('throws unless the distribution is Student t without fixed factors', () => {
    const part = { seed: 5, first: 0, count: 2, antithetic: true };
    expect(() => drawCopula(lawOf(null), margins, part)).to.throw(RangeError);
    expect(() => drawCopula(lawOf(6, [{ place: 0, value: 1 }]), margins, part)).to.throw(RangeError);
  });
});
