import { expect } from 'chai';
import fc from 'fast-check';
import { linearRange, sumRange } from '#lib/numerics/optimisation/linear-range.ts';
import {
  portfolioPolyhedron,
  type PortfolioConstraints,
} from '#lib/numerics/optimisation/portfolio-polyhedron.ts';
import { portfolioProgram, varianceOf } from '#lib/numerics/optimisation/portfolio-program.ts';
import { distanceOf, dot, markets, preparedOf, type Market } from './portfolio-cases.ts';

const shares = fc.nat(8).map((value) => value / 4);

type Objective = { risk?: number; linear?: Float64Array; costWeight?: number };

function least(
  market: Market,
  others: Partial<PortfolioConstraints> = {},
  { risk = 1, linear = new Float64Array(market.size), costWeight = 0 }: Objective = {},
) {
  const verdict = portfolioProgram(preparedOf(market, others), { risk, linear, costWeight });
  if (!verdict.ok) throw new Error(verdict.reason);
  return verdict.solution;
}

describe('portfolioProgram', () => {
  it('gives a weight of 1 to the only asset', () => {
    const verdict = portfolioPolyhedron(Float64Array.of(0.04), {
      lower: Float64Array.of(0),
      upper: Float64Array.of(1),
      budget: 1,
    });
    if (!verdict.ok) throw new Error(verdict.reason);
    const found = portfolioProgram(verdict.polyhedron, {
      risk: 1,
      linear: Float64Array.of(0),
      costWeight: 0,
    });
    expect(found.ok && [...found.solution.weights]).to.deep.equal([1]);
    expect(found.ok && found.solution.variance).to.equal(0.04);
  });

  it('reports not_identifiable for two equal assets and for an asset without variance', () => {
    const box = { lower: new Float64Array(2), upper: new Float64Array(2).fill(1), budget: 1 };
    expect(portfolioPolyhedron(Float64Array.of(1, 1, 1, 1), box)).to.include({
      ok: false,
      reason: 'not_identifiable',
      at: 1,
    });
    expect(portfolioPolyhedron(Float64Array.of(0, 0, 0, 1), box)).to.include({
      ok: false,
      reason: 'not_identifiable',
      at: 0,
    });
    expect(() => portfolioPolyhedron(new Float64Array(0), { ...box, lower: new Float64Array(0) })).to.throw(
      RangeError,
    );
  });

  it('limits turnover, with the same result as one linear constraint for each combination of signs', () => {
    fc.assert(
      fc.property(markets, shares, (market, max) => {
        const term = { from: market.previous, max };
        const { weights, variance } = least(market, { absolutes: [term] });
        expect(distanceOf(weights, term)).to.be.at.most(max + 1e-10);
        const rows = Array.from({ length: 2 ** market.size }, (_, set) => {
          const signs = market.previous.map((_each, i) => ((set >> i) & 1 ? 1 : -1));
          return linearRange(signs, { max: max + dot(signs, market.previous) });
        });
        const exact = least(market, { rows });
        expect(variance).to.be.closeTo(exact.variance, 1e-12);
        weights.forEach((weight, i) => expect(weight).to.be.closeTo(exact.weights[i]!, 1e-8));
      }),
    );
  });

  it('limits gross exposure if short positions are allowed', () => {
    fc.assert(
      fc.property(markets, shares, (market, more) => {
        const lower: Float64Array = new Float64Array(market.size).fill(-1);
        const term = { from: new Float64Array(market.size), max: 1 + more };
        const { weights } = least(market, { lower, absolutes: [term] }, { linear: market.means });
        expect(distanceOf(weights, term)).to.be.at.most(1 + more + 1e-10);
        expect(weights.reduce((sum, weight) => sum + weight, 0)).to.be.closeTo(1, 1e-12);
      }),
    );
  });

  it('includes the costs of purchases and sales, and does not trade if the costs exceed every gain', () => {
    fc.assert(
      fc.property(markets, fc.nat(30), fc.nat(30), (market, buy, sell) => {
        const [purchase, sale] = [buy, sell].map((cost) => new Float64Array(market.size).fill(cost / 1e4));
        const absolutes = [{ from: market.previous, purchase: purchase!, sale: sale! }];
        const slopes = market.means.map((mean) => -mean);
        const { weights, cost, objective } = least(
          market,
          { absolutes },
          { risk: 2, linear: slopes, costWeight: 1 },
        );
        const bought = weights.reduce((sum, weight, i) => sum + Math.max(0, weight - market.previous[i]!), 0);
        expect(cost).to.be.closeTo((bought * (buy + sell)) / 1e4, 1e-10);
        const stay = varianceOf(market.covariance, market.previous) - dot(market.means, market.previous);
        expect(objective).to.be.at.most(stay + 1e-12);
      }),
    );
    const market = fc.sample(markets, { numRuns: 20, seed: 1 }).find(({ size }) => size === 4)!;
    const dear: Float64Array = new Float64Array(4).fill(10);
    const { weights } = least(
      market,
      { absolutes: [{ from: market.previous, purchase: dear, sale: dear }] },
      { costWeight: 1 },
    );
    weights.forEach((weight, i) => expect(weight).to.be.closeTo(market.previous[i]!, 1e-12));
  });

  it('gives the smallest variance of all weights that meet the constraints', () => {
    fc.assert(
      fc.property(markets, fc.array(fc.nat(9), { minLength: 5, maxLength: 5 }), (market, parts) => {
        const total = market.previous.reduce((sum, _, i) => sum + parts[i]! + 1, 0);
        const other = market.previous.map((_, i) => (parts[i]! + 1) / total);
        const { variance, kktResidual } = least(market);
        expect(variance).to.be.at.most(varianceOf(market.covariance, other) + 1e-15);
        expect(kktResidual).to.be.below(1e-12);
      }),
    );
  });

  it('gives the optimum with the smallest variance if a linear objective has several optima', () => {
    const covariance = Float64Array.of(4, 0, 0, 0, 1, 0, 0, 0, 1);
    const market = {
      size: 3,
      covariance,
      means: Float64Array.of(0.1, 0.1, 0.05),
      previous: new Float64Array(3),
    };
    const { weights } = least(market, {}, { risk: 0, linear: market.means.map((mean) => -mean) });
    expect(weights[0]).to.be.closeTo(0.2, 1e-6);
    expect(weights[1]).to.be.closeTo(0.8, 1e-6);
    expect(weights[2]).to.be.closeTo(0, 1e-6);
  });

  it('reports infeasible for group limits that exclude each other', () => {
    const market = fc.sample(markets, { numRuns: 20, seed: 1 }).find(({ size }) => size === 4)!;
    const rows = [sumRange([0, 1], { max: 0.3 }), sumRange([2, 3], { max: 0.3 })];
    const objective = { risk: 1, linear: new Float64Array(4), costWeight: 0 };
    expect(portfolioProgram(preparedOf(market, { rows }), objective)).to.deep.equal({
      ok: false,
      reason: 'infeasible',
    });
    expect(portfolioProgram(preparedOf(market, { rows }), { ...objective, risk: 0 })).to.deep.equal({
      ok: false,
      reason: 'infeasible',
    });
  });
});
