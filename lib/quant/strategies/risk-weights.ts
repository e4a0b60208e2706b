import type { Matrix } from 'ml-matrix';
import { completeObservations } from '#lib/numerics/covariance/complete-observations.ts';
import { exponentiallyWeightedCovariance } from '#lib/numerics/covariance/exponentially-weighted.ts';
import { ledoitWolf } from '#lib/numerics/covariance/ledoit-wolf.ts';
import { sampleCovariance } from '#lib/numerics/covariance/sample.ts';
import { rowMajor } from '#lib/numerics/matrix.ts';
import { hierarchicalRiskParity } from '#lib/numerics/optimisation/hierarchical-risk-parity.ts';
import { inverseRiskWeights } from '#lib/numerics/optimisation/inverse-risk.ts';
import { portfolioPolyhedron } from '#lib/numerics/optimisation/portfolio-polyhedron.ts';
import { portfolioProgram } from '#lib/numerics/optimisation/portfolio-program.ts';
import { riskBudget } from '#lib/numerics/optimisation/risk-budget.ts';
import type { PastReturns } from './past-returns.ts';
import type { ResolvedStrategy } from './strategy.schema.ts';

type Construct = ResolvedStrategy['weight']['construct'];
export type RiskScheme = 'inverse_volatility' | 'minimum_variance' | 'risk_budget' | 'hrp';

/** Minimum share of the window in which a symbol must have returns. */
const COVERAGE_MIN = 0.8;

export type RiskWeighting = {
  scheme: RiskScheme;
  construct: Construct;
  symbols: readonly string[];
  /** Largest weight of a symbol in `minimum_variance`. */
  weightMax: number;
};

/** Weights that sum to 1. A symbol in `leftOut` has the weight 0; its entry is the reason. */
export type RiskWeights = { weights: Float64Array; leftOut: Map<number, 'history_short' | 'no_variance'> };

/**
 * Computes weights of symbols from their risk in the window. A symbol with returns in under 80 % of the window is left
 * out (`history_short`). So is a symbol whose returns do not vary, or are a linear combination of the returns of other
 * symbols (`no_variance`). If every symbol is left out, all weights are 0.
 *
 * Shapes: `returns` has K series, in the order of the symbols.
 */
export function riskWeights(returns: PastReturns, options: RiskWeighting): RiskWeights {
  const leftOut: RiskWeights['leftOut'] = new Map();
  const { coverage } = completeObservations(returns);
  returns.forEach((series, k) => {
    if (coverage[k]! < COVERAGE_MIN) leftOut.set(k, 'history_short');
    else if (!varies(series)) leftOut.set(k, 'no_variance');
  });
  const weights = new Float64Array(returns.length);
  for (;;) {
    const kept = Array.from(returns.keys()).filter((k) => !leftOut.has(k));
    if (kept.length === 0) return { weights, leftOut };
    const { series } = completeObservations(kept.map((k) => returns[k]!));
    const found = series[0]!.length < 2 ? 0 : weigh(series, kept, options);
    if (typeof found !== 'number') {
      for (const [at, k] of kept.entries()) weights[k] = found[at]!;
      return { weights, leftOut };
    }
    leftOut.set(kept[found]!, series[0]!.length < 2 ? 'history_short' : 'no_variance');
  }
}

/** Returns the weights, or the index of a symbol that must be left out. */
function weigh(
  series: Float64Array[],
  kept: readonly number[],
  { scheme, construct, symbols, weightMax }: RiskWeighting,
): Float64Array | number {
  const constant = series.findIndex((each) => !varies(each));
  if (constant >= 0) return constant;
  const covariance = covarianceOf(series, construct);
  switch (scheme) {
    case 'inverse_volatility':
      return inverseRiskWeights(series.map((_, k) => Math.sqrt(covariance.get(k, k))));
    case 'hrp':
      return hierarchicalRiskParity(covariance).weights;
    case 'risk_budget': {
      const { budget } = construct;
      const isEqual = Object.keys(budget).length === 0;
      const shares = kept.map((k) => (isEqual ? 1 : (budget[symbols[k]!] ?? 0)));
      if (!shares.some((share) => share > 0)) return new Float64Array(kept.length);
      return riskBudget(covariance, shares).weights;
    }
    case 'minimum_variance':
      return minimumVariance(covariance, weightMax);
  }
}

function minimumVariance(covariance: Matrix, weightMax: number): Float64Array | number {
  const n = covariance.rows;
  const budget = Math.min(1, n * weightMax);
  const polyhedron = portfolioPolyhedron(rowMajor(covariance), {
    lower: new Float64Array(n),
    upper: new Float64Array(n).fill(weightMax),
    budget,
  });
  if (!polyhedron.ok) return polyhedron.at;
  const objective = { risk: 2, linear: new Float64Array(n), costWeight: 0 };
  const solved = portfolioProgram(polyhedron.polyhedron, objective);
  if (!solved.ok) throw new Error(`the minimum variance of ${n} symbols was not found: ${solved.reason}`);
  return solved.solution.weights;
}

function covarianceOf(series: Float64Array[], { estimator, half_life: halfLife }: Construct): Matrix {
  switch (estimator) {
    case 'ledoit_wolf':
      return ledoitWolf(series).covariance;
    case 'ewma':
      return exponentiallyWeightedCovariance(series, { halfLife });
    case 'sample':
      return sampleCovariance(series);
  }
}

function varies(series: Float64Array): boolean {
  let first = Number.NaN;
  for (const value of series) {
    if (Number.isNaN(value)) continue;
    if (Number.isNaN(first)) first = value;
    else if (value !== first) return true;
  }
  return false;
}
