import { constructPortfolio } from '#lib/investment/construction/construct-portfolio.ts';
import { prepareConstruction } from '#lib/investment/construction/construction.ts';
import type { ConstructionData } from '#lib/investment/construction/construction-data.ts';
import type { ConstructionInput } from '#lib/investment/construction/construction-input.ts';
import { ConstructionRefused, refused } from '#lib/investment/construction/construction-refusal.ts';
import { bySymbol } from '#lib/investment/construction/construction-result.ts';
import {
  derivedConstruction,
  hashesOf,
  keptCovariance,
  type DerivedConstruction,
} from '#lib/investment/construction/portfolio-construction.ts';
import type { ConstructionHashes } from '#lib/investment/construction/construction-run.schema.ts';
import type { Covariance } from '#lib/investment/construction/covariance.schema.ts';
import { resampledFrontier } from '#lib/investment/construction/resampled-frontier.ts';
import type { Static } from 'typebox';
import type { FrontierInput } from './frontier-input.schema.ts';
import { constructionOfFrontier } from './construction-of-frontier.ts';
import { FRONTIER_LIMITS } from './frontier-limits.ts';
import type { FrontierResult } from './frontier-result.schema.ts';

type Refused = Extract<DerivedConstruction, { ok: false }>;

export type PortfolioFrontier =
  | {
      ok: true;
      input_data: Static<typeof ConstructionHashes>;
      result: FrontierResult;
      covariance: Covariance | null;
    }
  | Refused;

type Rated = { expected_return: number; volatility: number; weights: Record<string, number> };

/**
 * Derives the holdings of a portfolio and computes its efficient frontier within the limits, and on request the
 * resampled frontier. `progress` is called with the share that is done, and ends the computation by throwing.
 */
export function portfolioFrontier(
  input: FrontierInput,
  data: ConstructionData,
  progress: (share: number) => void,
): PortfolioFrontier {
  const derived = derivedConstruction(constructionOfFrontier(input), data);
  if (!derived.ok) return derived;
  const { construction } = derived;
  const outcome = constructPortfolio(construction);
  if (!outcome.ok) return outcome;
  const { result, covariance } = outcome;
  const rated = (point: Rated) => ({
    ...point,
    sharpe: point.volatility > 0 ? (point.expected_return - riskFreeOf(input)) / point.volatility : null,
  });
  try {
    const points = result.frontier.map(rated);
    const resampled = input.paths > 0 ? resampledOf(input, construction, progress) : null;
    const { currency, value_minor, before, inputs, observations, shrinkage, covariance_sha256 } = result;
    return {
      ok: true,
      input_data: hashesOf(data),
      result: {
        currency,
        value_minor,
        before,
        points,
        maximum_sharpe: largestOf(points.map(({ sharpe }) => sharpe)),
        resampled: resampled && {
          infeasible: resampled.infeasible,
          points: resampled.points.map((point) => ({ ...rated(point), deviations: point.deviations })),
        },
        inputs,
        observations,
        shrinkage,
        covariance_sha256,
      },
      covariance: keptCovariance(covariance),
    };
  } catch (error) {
    if (error instanceof ConstructionRefused) return { ok: false, refusal: error.refusal };
    throw error;
  }
}

/** The risk-free return of the invested share of the value, as `maximum_sharpe` of a construction counts it. */
function riskFreeOf({ risk_free: rate, constraints }: FrontierInput): number {
  return rate * (1 - (constraints.cash_min ?? 0));
}

function resampledOf(
  { points, paths, seed, risk }: FrontierInput,
  construction: ConstructionInput,
  progress: (share: number) => void,
) {
  const { problem, estimates } = prepareConstruction(construction);
  const { symbols } = problem;
  const most = FRONTIER_LIMITS.resampledSymbols;
  if (symbols.length > most)
    throw refused('too_large', `A resampled frontier has at most ${most} symbols, not ${symbols.length}.`, {
      observed: symbols.length,
      needed: most,
    });
  const observations = estimates.series[0]!.length;
  const found = resampledFrontier(problem, {
    points,
    paths,
    seed,
    observations,
    estimator: {
      // The matrix of a factor run is estimated from more than these returns, so the drawn returns are shrunk.
      estimator: risk.estimator === 'factor_run' ? 'ledoit_wolf' : risk.estimator,
      halfLife: risk.half_life ?? observations / 4,
      periodsPerYear: construction.periodsPerYear,
    },
    progress,
  });
  return {
    infeasible: found.infeasible,
    points: found.points.map(({ expectedReturn, volatility, weights, deviations }) => ({
      expected_return: expectedReturn,
      volatility,
      weights: bySymbol(symbols, weights),
      deviations: bySymbol(symbols, deviations),
    })),
  };
}

/** Returns the position of the first largest number; null if there is no number. */
function largestOf(values: readonly (number | null)[]): number | null {
  let best: number | null = null;
  for (const [at, value] of values.entries())
    if (value !== null && (best === null || value > values[best]!)) best = at;
  return best;
}
