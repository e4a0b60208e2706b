import { expect } from 'chai';
import fc from 'fast-check';
import { Matrix } from 'ml-matrix';
import { blackLitterman, equilibriumReturns } from '#lib/numerics/optimisation/black-litterman.ts';
import { randomCovariance } from './random-covariance.ts';

const one = Matrix.diag([0.04]);
const view = (value: number, confidence: number) => ({ portfolio: [1], value, uncertainty: { confidence } });

describe('the Black-Litterman model', () => {
  it('gives the mean of prior and view, weighted by the confidence of the view', () => {
    expect(blackLitterman(one, [0.05], { tau: 1, views: [view(0.1, 0.5)] }).means[0]).to.be.closeTo(
      0.075,
      1e-15,
    );
    expect(blackLitterman(one, [0.05], { tau: 0.05, views: [view(0.1, 0.25)] }).means[0]).to.be.closeTo(
      0.0625,
      1e-15,
    );
  });

  it('gives the prior without views, and the value of a view for a confidence of 1', () => {
    const prior = blackLitterman(one, [0.05], { tau: 0.05, views: [] });
    expect([...prior.means]).to.deep.equal([0.05]);
    expect(prior.meansCovariance.get(0, 0)).to.be.closeTo(0.002, 1e-18);
    const certain = blackLitterman(one, [0.05], { tau: 0.05, views: [view(0.1, 1)] });
    expect(certain.means[0]).to.be.closeTo(0.1, 1e-15);
    expect(certain.meansCovariance.get(0, 0)).to.be.closeTo(0, 1e-17);
  });

  it('moves the expected return of the portfolio of a view from the prior towards the view, in proportion to the confidence', () => {
    fc.assert(
      fc.property(
        randomCovariance(6),
        fc.double({ min: 0.01, max: 1, noNaN: true }),
        ({ covariance, order }, confidence) => {
          const prior = order.map((place) => place / 100);
          const portfolio = order.map((place) => (place === 0 ? 1 : -0.1));
          const views = [{ portfolio, value: 0.2, uncertainty: { confidence } }];
          const { means } = blackLitterman(covariance, prior, { tau: 0.05, views });
          const of = (returns: ArrayLike<number>) =>
            portfolio.reduce((sum, weight, k) => sum + weight * returns[k]!, 0);
          expect(of(means)).to.be.closeTo(of(prior) + confidence * (0.2 - of(prior)), 1e-10);
        },
      ),
    );
  });

  it('uses the variance of a view unchanged if the request states a variance', () => {
    const views = [{ portfolio: [1], value: 0.1, uncertainty: { variance: 0.04 } }];
    const found = blackLitterman(one, [0.05], { tau: 1, views });
    expect(found.means[0]).to.be.closeTo(0.075, 1e-15);
    expect([...found.viewVariances]).to.deep.equal([0.04]);
  });

  it('throws on two views of one portfolio with a confidence of 1, and on numbers out of range', () => {
    for (const views of [
      [view(0.1, 1), view(0.2, 1)],
      [view(0.1, 0)],
      [view(0.1, 1.1)],
      [{ portfolio: [1], value: 0.1, uncertainty: { variance: -1 } }],
      [{ portfolio: [1, 2], value: 0.1, uncertainty: { confidence: 1 } }],
    ])
      expect(() => blackLitterman(one, [0.05], { tau: 0.05, views })).to.throw(RangeError);
    expect(() => blackLitterman(one, [0.05], { tau: 0, views: [] })).to.throw(RangeError);
  });

  it('has a prior equal to the returns for which the given weights are the mean-variance optimum', () => {
    expect([...equilibriumReturns(Matrix.diag([0.04, 0.01]), [0.5, 0.5], { riskAversion: 2 })]).to.deep.equal(
      [0.04, 0.01],
    );
    expect(() => equilibriumReturns(one, [1, 2], { riskAversion: 2 })).to.throw(RangeError);
  });
});
