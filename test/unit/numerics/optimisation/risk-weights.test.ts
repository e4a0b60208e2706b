import { expect } from 'chai';
import fc from 'fast-check';
import { Matrix } from 'ml-matrix';
import { hierarchicalRiskParity } from '#lib/numerics/optimisation/hierarchical-risk-parity.ts';
import { inverseRiskWeights } from '#lib/numerics/optimisation/inverse-risk.ts';
import { riskBudget } from '#lib/numerics/optimisation/risk-budget.ts';
import { riskContributions } from '#lib/numerics/optimisation/risk-contributions.ts';
import { leafOrder, singleLinkage } from '#lib/numerics/optimisation/single-linkage.ts';
import { permuted, randomCovariance, total } from './random-covariance.ts';

const equal = (K: number) => Array.from({ length: K }, () => 1);

describe('risk budget weights', () => {
  it('sum to 1 and give each asset exactly its budgeted share of the risk', () => {
    fc.assert(
      fc.property(randomCovariance(8), ({ covariance, order }) => {
        const budget = order.map((place) => place + 1);
        const { weights, budgetError } = riskBudget(covariance, budget);
        const { share } = riskContributions(covariance, weights);
        expect(total(weights)).to.be.closeTo(1, 1e-12);
        expect(budgetError).to.be.below(1e-12);
        const all = total(budget);
        for (const [k, each] of budget.entries()) expect(share[k]).to.be.closeTo(each / all, 1e-11);
      }),
    );
  });

  it('do not depend on the order of the assets', () => {
    fc.assert(
      fc.property(randomCovariance(8), ({ covariance, order }) => {
        const weights = riskBudget(covariance, equal(order.length)).weights;
        const other = riskBudget(permuted(covariance, order), equal(order.length)).weights;
        for (const [at, k] of order.entries()) expect(other[at]).to.be.closeTo(weights[k]!, 1e-11);
      }),
    );
  });

  it('are accurate for equal assets, hedges, tiny budgets and variances of very different size', () => {
    const twins = new Matrix([
      [0.04, 0.04, 0],
      [0.04, 0.04, 0],
      [0, 0, 0.01],
    ]);
    const { weights } = riskBudget(twins, [1, 1, 2]);
    expect(weights[0]).to.be.closeTo(weights[1]!, 1e-14);
    const hedge = new Matrix([
      [1, -0.999999],
      [-0.999999, 1],
    ]);
    expect(riskBudget(hedge, [0.5, 0.5]).weights[0]).to.be.closeTo(0.5, 1e-9);
    const scales = new Matrix([
      [1e-12, 0],
      [0, 1e6],
    ]);
    expect(riskBudget(scales, [1, 1]).budgetError).to.be.below(1e-12);
    const tiny = riskBudget(Matrix.diag([1, 1, 1]), [1e-9, 0.5, 0.5]);
    expect(tiny.budgetError).to.be.below(1e-12);
    expect(tiny.weights[0]! / tiny.weights[1]!).to.be.closeTo(Math.sqrt(2e-9), 1e-9);
  });

  it('are 0 for an asset with a budget of 0, and cannot be computed for invalid budgets or a variance of 0', () => {
    expect([...riskBudget(Matrix.diag([1, 1]), [0, 3]).weights]).to.deep.equal([0, 1]);
    expect([...riskBudget(Matrix.diag([0.04]), [1]).weights]).to.deep.equal([1]);
    for (const budget of [[1], [0, 0], [-1, 2], [Number.NaN, 1]])
      expect(() => riskBudget(Matrix.diag([1, 1]), budget), String(budget)).to.throw(RangeError);
    expect(() => riskBudget(Matrix.diag([1, 0]), [1, 1])).to.throw(RangeError);
  });
});

describe('hierarchicalRiskParity', () => {
  it('gives weights in proportion to inverse variances for two uncorrelated assets', () => {
    expect([...hierarchicalRiskParity(Matrix.diag([1, 3])).weights]).to.deep.equal([0.75, 0.25]);
    expect([...hierarchicalRiskParity(Matrix.diag([2])).weights]).to.deep.equal([1]);
  });

  it('gives weights that sum to 1, and an order that contains each asset once', () => {
    fc.assert(
      fc.property(randomCovariance(12), ({ covariance }) => {
        const { weights, order } = hierarchicalRiskParity(covariance);
        expect(total(weights)).to.be.closeTo(1, 1e-12);
        expect([...order].sort((a, b) => a - b)).to.deep.equal(Array.from(weights.keys()));
      }),
    );
  });

  it('gives a fixed order of the assets if all distances are equal, and throws on a variance of 0', () => {
    expect(hierarchicalRiskParity(Matrix.diag([1, 1, 1, 1])).order).to.deep.equal([3, 2, 0, 1]);
    expect(() => hierarchicalRiskParity(Matrix.diag([1, 0]))).to.throw(RangeError);
  });
});

describe('singleLinkage', () => {
  const at = [0, 10, 11, 30];
  const merges = singleLinkage(4, (a, b) => Math.abs(at[a]! - at[b]!));

  it('merges the nearest clusters first, with the cluster of the lower number on the left', () => {
    expect(merges).to.deep.equal([
      { left: 1, right: 2, distance: 1 },
      { left: 0, right: 4, distance: 10 },
      { left: 3, right: 5, distance: 19 },
    ]);
    expect(leafOrder(4, merges)).to.deep.equal([3, 0, 1, 2]);
  });

  it('accepts zero or one leaf, and throws on a distance that is NaN', () => {
    expect(leafOrder(0, [])).to.deep.equal([]);
    expect(
      leafOrder(
        1,
        singleLinkage(1, () => 0),
      ),
    ).to.deep.equal([0]);
    expect(() => singleLinkage(2, () => Number.NaN)).to.throw(RangeError);
  });

  it('gives merge distances in ascending order, and for points on a line the gaps between the points', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 2, maxLength: 20 }), (points) => {
        const found = singleLinkage(points.length, (a, b) => Math.abs(points[a]! - points[b]!));
        const sorted = points.toSorted((a, b) => a - b);
        const gaps = sorted.slice(1).map((point, k) => point - sorted[k]!);
        expect(found.map(({ distance }) => distance)).to.deep.equal(gaps.toSorted((a, b) => a - b));
      }),
    );
  });
});

describe('inverseRiskWeights', () => {
  it('gives weights in proportion to inverse risks, and throws unless every risk is finite and above 0', () => {
    expect([...inverseRiskWeights([0.1, 0.3])].map((each) => each.toFixed(12))).to.deep.equal([
      '0.750000000000',
      '0.250000000000',
    ]);
    for (const risks of [[], [0], [-1], [Number.NaN], [Infinity]])
      expect(() => inverseRiskWeights(risks), String(risks)).to.throw(RangeError);
  });
});

describe('risk contributions', () => {
  it('sum to the volatility', () => {
    fc.assert(
      fc.property(randomCovariance(6), ({ covariance, order }) => {
        const weights = order.map((place) => place - 1);
        const { volatility, component, share } = riskContributions(covariance, weights);
        expect(total(component)).to.be.closeTo(volatility, 1e-12);
        if (volatility > 0) expect(total(share)).to.be.closeTo(1, 1e-11);
      }),
    );
  });

  it('have a volatility of 0 for weights of 0, and shares computed by hand otherwise', () => {
    expect(riskContributions(Matrix.diag([1, 4]), [0, 0]).volatility).to.equal(0);
    expect(riskContributions(Matrix.diag([1, 4]), [0.5, 0.5]).share[0]).to.be.closeTo(0.2, 1e-15);
    expect(() => riskContributions(Matrix.diag([1]), [1, 2])).to.throw(RangeError);
  });
});
