import { expect } from 'chai';
import { Value } from 'typebox/value';
import { portfolioConstruction } from '#lib/investment/construction/portfolio-construction.ts';
import type { FrontierInput } from '#lib/investment/frontiers/frontier-input.schema.ts';
import { FrontierResult } from '#lib/investment/frontiers/frontier-result.schema.ts';
import { frontierPart, portfolioFrontier } from '#lib/investment/frontiers/portfolio-frontier.ts';
import { data, input as constructed } from '../construction/two-stocks.ts';

const { objective: _o, costs: _c, tax: _t, frontier_points: _f, ...members } = constructed;
const constraints = { ...constructed.constraints, liquidity: { share_of_volume: 1, days: 100 } };
/** The input of a frontier, as version 1 of the model stored it. */
const first: FrontierInput = {
  ...members,
  constraints,
  returns: { kind: 'historical' },
  points: 5,
  paths: 0,
  seed: 1,
};
const second: FrontierInput = { ...first, objective: null, costs: null, tax: null };

function resultOf(input: FrontierInput): FrontierResult {
  const part = { round: 0, first: 0, count: Math.ceil(input.paths / 16) };
  const sums =
    input.paths > 0 ? frontierPart(input, data(), { part, progress: () => {} }) : new Float64Array();
  if (!(sums instanceof Float64Array)) throw new Error(sums.refusal.detail);
  const outcome = portfolioFrontier(input, data(), sums);
  if (!outcome.ok) throw new Error(outcome.refusal.detail);
  expect(Value.Errors(FrontierResult, outcome.result)).to.deep.equal([]);
  return outcome.result;
}

const tradedOf = ({ before, points }: Pick<FrontierResult, 'before' | 'points'>) =>
  points.map(({ weights }) =>
    ['A', 'B'].reduce((sum, symbol) => sum + Math.abs((weights[symbol] ?? 0) - (before[symbol] ?? 0)), 0),
  );

describe('the frontier of a portfolio', () => {
  it('is the same in both versions of the model without a limit on turnover', () => {
    const { chosen, ...result } = resultOf(second);
    expect(chosen).to.equal(null);
    expect(result).to.deep.equal(resultOf(first));
  });

  it('meets the limit on turnover, which version 1 of the model ignores, also if it is resampled', () => {
    const limited = { constraints: { ...constraints, turnover_max: 0.2 }, paths: 16 };
    expect(Math.max(...tradedOf(resultOf({ ...first, ...limited })))).to.be.above(0.5);
    const result = resultOf({ ...second, ...limited });
    expect(Math.max(...tradedOf(result))).to.be.closeTo(0.2, 1e-9);
    const { before } = result;
    expect(Math.max(...tradedOf({ before, points: result.resampled!.points }))).to.be.at.most(0.2 + 1e-9);
  });

  it('states the portfolio that a construction with the objective chooses', () => {
    const objective = { kind: 'maximum_sharpe' } as const;
    const { chosen } = resultOf({ ...second, objective });
    const outcome = portfolioConstruction(
      { ...constructed, constraints, objective, returns: { kind: 'historical' } },
      data(),
    );
    if (!outcome.ok) throw new Error(outcome.refusal.detail);
    expect(outcome.result).to.deep.include(chosen);
  });

  it('lies below the frontier without costs, by the costs and taxes of its trades', () => {
    const tax = { rates: { short_bps: 3_000, long_bps: 1_500 } };
    const result = resultOf({ ...second, costs: { linear_bps: 50 }, tax });
    expect(result.points).to.have.length(5);
    for (const {
      expected_return: gross,
      net_return: net,
      cost_minor: cost,
      tax_minor: owed,
    } of result.points)
      expect(net).to.be.closeTo(gross - (cost! + owed!) / result.value_minor, 1e-12);
    const best = result.points[result.maximum_sharpe!]!;
    expect(best.sharpe).to.be.closeTo(best.net_return! / best.volatility, 1e-12);
    expect(result.points.some(({ cost_minor: cost }) => cost! > 0)).to.equal(true);
  });
});
