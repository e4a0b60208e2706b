import { dot } from '#lib/numerics/dot-product.ts';
import { exp } from '#lib/numerics/exponential.ts';
import { solveConstruction } from './construct-portfolio.ts';
import type { Construction } from './construction.ts';
import { constructionTrades } from './construction-trades.ts';
import type { FrontierPoint } from './frontier.ts';
import { volatilityOf } from './measures.ts';

/** Decimal logarithms of the largest and the smallest risk aversion of a frontier with costs. */
const MOST = 3;
const LEAST = -1;
/** Natural logarithm of 10. */
const LOG_10 = 2.302585092994046;

/** A point of a frontier with costs. Amounts are in minor units. */
export type CostedPoint = FrontierPoint & {
  riskAversion: number;
  /** Expected annual return less the costs and taxes of the trades, as a share of the portfolio value. */
  netReturn: number;
  costMinor: number;
  taxMinor: number;
};

/**
 * Returns points of the efficient frontier after the costs and taxes of the trades that lead to them. Each point has the
 * weights that a construction with the objective `mean_variance` chooses, within all limits. The risk aversions fall from
 * 1,000 to 0.1 in equal ratios, so that the first point is close to the smallest volatility and the last one to the
 * largest return. Points with large costs can have equal weights, because trades are then not worth their costs.
 *
 * `points`: 2 or more. Throws a refusal if no weights satisfy the limits.
 */
export function costedFrontier(construction: Construction, points: number): CostedPoint[] {
  const value = Number(construction.position.valueMinor);
  return Array.from({ length: points }, (_, at) => {
    const riskAversion = exp(LOG_10 * (MOST - ((MOST - LEAST) * at) / (points - 1)));
    const objective = { kind: 'mean_variance', risk_aversion: riskAversion } as const;
    const problem = { ...construction.problem, objective };
    const { verdict } = solveConstruction({ ...construction, objective, isRule: false, problem });
    if (!verdict.ok) throw new Error('a verdict without weights is a refusal');
    const { weights } = verdict.allocation;
    const { cost_minor: costMinor, tax_minor: taxMinor } = constructionTrades(
      construction,
      weights,
      verdict.stretches,
    );
    const expectedReturn = dot(problem.means!, weights);
    return {
      expectedReturn,
      volatility: volatilityOf(problem.covariance, weights),
      weights,
      riskAversion,
      netReturn: expectedReturn - (costMinor + taxMinor) / value,
      costMinor,
      taxMinor,
    };
  });
}
