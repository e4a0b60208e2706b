import type { Static } from 'typebox';
import type { Part } from '#lib/core/run.ts';
import { constructPortfolio } from '#lib/investment/construction/construct-portfolio.ts';
import { prepareConstruction, type Construction } from '#lib/investment/construction/construction.ts';
import type { AllocationProblem } from '#lib/investment/construction/allocation-problem.ts';
import type { ConstructionData } from '#lib/investment/construction/construction-data.ts';
import type { ConstructionInput } from '#lib/investment/construction/construction-input.ts';
import { ConstructionRefused, refused } from '#lib/investment/construction/construction-refusal.ts';
import { bySymbol } from '#lib/investment/construction/construction-result.ts';
import type { ConstructionResult } from '#lib/investment/construction/construction-result.schema.ts';
import { costedFrontier } from '#lib/investment/construction/costed-frontier.ts';
import { frontier } from '#lib/investment/construction/frontier.ts';
import {
  derivedConstruction,
  hashesOf,
  keptCovariance,
  type DerivedConstruction,
} from '#lib/investment/construction/portfolio-construction.ts';
import type { ConstructionHashes } from '#lib/investment/construction/construction-run.schema.ts';
import type { Covariance } from '#lib/investment/construction/covariance.schema.ts';
import {
  blockSums,
  blocksOf,
  resampledFrontier,
  type Resampling,
} from '#lib/investment/construction/resampled-frontier.ts';
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

/** Returns the parts of a frontier: one for each block of drawn paths. A frontier without paths has no parts. */
export function divideFrontier({ paths }: Pick<FrontierInput, 'paths'>, round: number): Part[] | null {
  if (round > 0 || paths === 0) return null;
  return Array.from({ length: blocksOf(paths) }, (_, first) => ({ round, first, count: 1 }));
}

/** Whether a frontier is large enough to be divided among workers. */
export function isFrontierDivided({ paths }: Pick<FrontierInput, 'paths'>): boolean {
  return blocksOf(paths) > 1;
}

/** Computes the sums of the blocks of a part. */
export function frontierPart(
  input: FrontierInput,
  data: ConstructionData,
  { part, progress }: { part: Part; progress: (share: number) => void },
): Float64Array | Refused {
  const derived = derivedConstruction(constructionOfFrontier(input), data);
  if (!derived.ok) return derived;
  const { first, count } = part;
  return orRefused(() => {
    // Only the complete construction explains why no weights satisfy the limits.
    const outcome = constructPortfolio({
      ...derived.construction,
      request: { ...derived.construction.request, frontier_points: 0 },
    });
    if (!outcome.ok) return outcome;
    const prepared = prepareConstruction(derived.construction);
    const problem = limitedProblem(input, prepared);
    return blockSums(problem, planOf(input, derived.construction, prepared), {
      first,
      count,
      progress,
    });
  });
}

/**
 * Derives the holdings of a portfolio and computes its efficient frontier within the limits, the portfolio of the
 * objective, and the resampled frontier from the sums of all blocks.
 */
export function portfolioFrontier(
  input: FrontierInput,
  data: ConstructionData,
  sums: Float64Array,
): PortfolioFrontier {
  const derived = derivedConstruction(constructionOfFrontier(input), data);
  if (!derived.ok) return derived;
  const { construction } = derived;
  const isFirstVersion = input.objective === undefined;
  const outcome = constructPortfolio(isFirstVersion ? construction : withObjective(input, construction));
  if (!outcome.ok) return outcome;
  const { result, covariance } = outcome;
  return orRefused(() => {
    const points = isFirstVersion
      ? result.frontier.map((point) => rated(input, point))
      : frontierPoints(input, prepareConstruction(construction));
    const resampled = input.paths > 0 ? resampledOf(input, construction, sums) : null;
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
        ...(isFirstVersion ? {} : { chosen: input.objective ? chosenOf(result) : null }),
        resampled: resampled && {
          infeasible: resampled.infeasible,
          points: resampled.points.map((point) => ({
            ...rated(input, point),
            deviations: point.deviations,
          })),
        },
        inputs,
        observations,
        shrinkage,
        covariance_sha256,
      },
      covariance: keptCovariance(covariance),
    };
  });
}

/** Returns the construction with the objective of a frontier, without a frontier. */
function withObjective({ objective }: FrontierInput, construction: ConstructionInput): ConstructionInput {
  const { request } = construction;
  return {
    ...construction,
    request: { ...request, frontier_points: 0, objective: objective ?? { kind: 'minimum_variance' } },
  };
}

function chosenOf(result: ConstructionResult): NonNullable<FrontierResult['chosen']> {
  const { weights, expected_return, volatility, sharpe, turnover, objective_value, cost_minor, tax_minor } =
    result;
  return { weights, expected_return, volatility, sharpe, turnover, objective_value, cost_minor, tax_minor };
}

/** Returns the points of a frontier, after costs and taxes if the input has them. */
function frontierPoints(input: FrontierInput, construction: Construction): FrontierResult['points'] {
  const { symbols } = construction.problem;
  if (!input.costs && !input.tax)
    return frontier(limitedProblem(input, construction), input.points).map((point) =>
      rated(input, {
        expected_return: point.expectedReturn,
        volatility: point.volatility,
        weights: bySymbol(symbols, point.weights),
      }),
    );
  return costedFrontier(construction, input.points).map((point) => ({
    expected_return: point.expectedReturn,
    volatility: point.volatility,
    weights: bySymbol(symbols, point.weights),
    sharpe: sharpeOf(input, point.netReturn, point.volatility),
    risk_aversion: point.riskAversion,
    net_return: point.netReturn,
    cost_minor: point.costMinor,
    tax_minor: point.taxMinor,
  }));
}

/**
 * Returns the problem of the frontier with its limit on turnover. Version 1 of the model ignores this limit, so its
 * runs are replayed without it.
 */
function limitedProblem(
  { objective, constraints }: FrontierInput,
  { problem, outside }: Construction,
): AllocationProblem {
  const { turnover_max: most } = constraints;
  if (objective === undefined || most === undefined) return problem;
  return { ...problem, terms: [{ from: problem.before, max: most - outside.turnover }] };
}

function rated<Point extends Rated>(input: FrontierInput, point: Point) {
  return { ...point, sharpe: sharpeOf(input, point.expected_return, point.volatility) };
}

function sharpeOf(input: FrontierInput, expected: number, volatility: number): number | null {
  return volatility > 0 ? (expected - riskFreeOf(input)) / volatility : null;
}

function orRefused<T>(compute: () => T): T | Refused {
  try {
    return compute();
  } catch (error) {
    if (error instanceof ConstructionRefused) return { ok: false, refusal: error.refusal };
    throw error;
  }
}

/** The risk-free return of the invested share of the value, as `maximum_sharpe` of a construction computes it. */
function riskFreeOf({ risk_free: rate, constraints }: FrontierInput): number {
  return rate * (1 - (constraints.cash_min ?? 0));
}

function planOf(
  { points, paths, seed, risk }: FrontierInput,
  { periodsPerYear }: ConstructionInput,
  { problem, estimates }: Construction,
): Resampling {
  const most = FRONTIER_LIMITS.resampledSymbols;
  const observed = problem.symbols.length;
  if (observed > most)
    throw refused('too_large', `A resampled frontier has at most ${most} symbols, not ${observed}.`, {
      observed,
      needed: most,
    });
  const observations = estimates.series[0]!.length;
  return {
    points,
    paths,
    seed,
    observations,
    estimator: {
      // The matrix of a factor run is estimated from more than these returns, so the matrix of the drawn returns is
      // estimated with `ledoit_wolf` instead.
      estimator: risk.estimator === 'factor_run' ? 'ledoit_wolf' : risk.estimator,
      halfLife: risk.half_life ?? observations / 4,
      periodsPerYear,
    },
  };
}

function resampledOf(input: FrontierInput, construction: ConstructionInput, sums: Float64Array) {
  const problem = limitedProblem(input, prepareConstruction(construction));
  const { infeasible, points } = resampledFrontier(problem, input, sums);
  return {
    infeasible,
    points: points.map(({ expectedReturn, volatility, weights, deviations }) => ({
      expected_return: expectedReturn,
      volatility,
      weights: bySymbol(problem.symbols, weights),
      deviations: bySymbol(problem.symbols, deviations),
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
