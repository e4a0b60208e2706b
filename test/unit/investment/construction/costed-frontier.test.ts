import { expect } from 'chai';
import { constructPortfolio } from '#lib/investment/construction/construct-portfolio.ts';
import { bySymbol } from '#lib/investment/construction/construction-result.ts';
import { costedFrontier } from '#lib/investment/construction/costed-frontier.ts';
import { prepareConstruction } from '#lib/investment/construction/construction.ts';
import type { ConstructionRequestBody } from '#lib/investment/construction/construction.schema.ts';
import { construction, holding } from './sample-market.ts';

const lots = [
  { lot: 'old', slice: 0, quantity: 10_000_00000000n, basisMinor: 10_000_000n, term: 'long' as const },
  { lot: 'new', slice: 0, quantity: 5_000_00000000n, basisMinor: 30_000_000n, term: 'short' as const },
];
const held = { cashMinor: 0n, holdings: [holding('FFF', 15_000, { lots })] };
const costed: ConstructionRequestBody = {
  returns: { kind: 'historical' },
  costs: { linear_bps: 20, half_spread_bps: 5 },
  tax: { rates: { short_bps: 3_700, long_bps: 2_000 } },
};
const pointsOf = (request: ConstructionRequestBody, points: number) =>
  costedFrontier(prepareConstruction(construction(request, held)), points);
const tradedBy = (weights: Float64Array, symbols: readonly string[]) =>
  symbols.reduce((sum, symbol, k) => sum + Math.abs(weights[k]! - (symbol === 'FFF' ? 1 : 0)), 0);

describe('costedFrontier', () => {
  const { problem } = prepareConstruction(construction(costed, held));

  it('has the portfolios that a construction chooses at the same risk aversions, from 1,000 to 0.1', () => {
    const points = pointsOf(costed, 5);
    for (const [at, { riskAversion, weights, ...point }] of points.entries()) {
      expect(riskAversion).to.be.closeTo([1_000, 100, 10, 1, 0.1][at]!, riskAversion * 1e-12);
      const objective = { kind: 'mean_variance', risk_aversion: riskAversion } as const;
      const outcome = constructPortfolio(construction({ ...costed, objective }, held));
      if (!outcome.ok) throw new Error(outcome.refusal.detail);
      const { result } = outcome;
      expect(bySymbol(problem.symbols, weights)).to.deep.equal(result.weights);
      expect(point).to.deep.include({
        expectedReturn: result.expected_return,
        volatility: result.volatility,
        costMinor: result.cost_minor,
        taxMinor: result.tax_minor,
      });
      const charges = (result.cost_minor + result.tax_minor) / result.value_minor;
      expect(point.netReturn).to.be.closeTo(point.expectedReturn - charges, 1e-15);
    }
  });

  it('has a larger volatility and a larger return less costs at each smaller risk aversion', () => {
    const points = pointsOf({ ...costed, tax: undefined as never }, 8);
    for (const [at, point] of points.slice(1).entries()) {
      expect(point.volatility).to.be.at.least(points[at]!.volatility - 1e-9);
      // The trades are rounded to whole shares, so that their costs differ slightly from those of the weights.
      expect(point.netReturn).to.be.at.least(points[at]!.netReturn - 1e-4);
    }
  });

  it('trades less at higher costs, and at most the limit on turnover', () => {
    const traded = (request: ConstructionRequestBody) =>
      pointsOf(request, 4).map(({ weights }) => tradedBy(weights, problem.symbols));
    const [cheap, dear] = [1, 500].map((linear_bps) => traded({ ...costed, costs: { linear_bps } }));
    for (const [at, amount] of dear!.entries()) expect(amount).to.be.at.most(cheap![at]! + 1e-9);
    expect(Math.max(...cheap!)).to.be.above(0.5);
    const limited = traded({ ...costed, constraints: { turnover_max: 0.3 } });
    expect(Math.max(...limited)).to.be.at.most(0.3 + 1e-9);
  });
});
