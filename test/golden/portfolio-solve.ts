import type { Matrix } from 'ml-matrix';
import { cappedProgram, type VolatilityCap } from '#lib/numerics/optimisation/capped-program.ts';
import type { LinearRange } from '#lib/numerics/optimisation/linear-range.ts';
import { maximumSharpe } from '#lib/numerics/optimisation/maximum-sharpe.ts';
import {
  portfolioPolyhedron,
  type AbsoluteTerm,
  type PortfolioPolyhedron,
} from '#lib/numerics/optimisation/portfolio-polyhedron.ts';
import { minimumRisk } from '#lib/numerics/optimisation/minimum-risk.ts';
import type { ReturnTable, RiskMeasure } from '#lib/numerics/optimisation/risk-measure.ts';
import { rowMajor } from '#lib/numerics/matrix.ts';
import { GoldenFileError } from './report.ts';

export type Limits = {
  bounds?: [min: number, max: number];
  rows?: readonly LinearRange[];
  absolutes?: readonly AbsoluteTerm[];
};

/**
 * Returns the polyhedron of weights with the sum 1, between bounds (0 to 1 by default). Throws a
 * `GoldenFileError` if the covariance matrix is singular.
 */
export function polyhedronOf(
  covariance: Matrix,
  { bounds = [0, 1], rows, absolutes }: Limits = {},
): PortfolioPolyhedron {
  const verdict = portfolioPolyhedron(rowMajor(covariance), {
    lower: new Float64Array(covariance.rows).fill(bounds[0]),
    upper: new Float64Array(covariance.rows).fill(bounds[1]),
    budget: 1,
    ...(rows ? { rows } : {}),
    ...(absolutes ? { absolutes } : {}),
  });
  if (!verdict.ok) throw new GoldenFileError('the covariance matrix is singular');
  return verdict.polyhedron;
}

/**
 * Returns the weights that minimise risk w'Sw / 2 + linear'w plus the costs. Throws a `GoldenFileError` if
 * there is no optimum.
 */
export function minimise(
  polyhedron: PortfolioPolyhedron,
  objective: { risk: number; linear?: Float64Array; costWeight?: number },
  caps: readonly VolatilityCap[] = [],
): Float64Array {
  const { risk, linear = new Float64Array(polyhedron.assets), costWeight = 0 } = objective;
  const verdict = cappedProgram(polyhedron, { risk, linear, costWeight }, caps);
  if (!verdict.ok) throw new GoldenFileError(`there is no optimum: ${verdict.reason}`);
  return verdict.solution.weights;
}

/**
 * Returns the weights with the largest ratio of excess return to volatility. Throws a `GoldenFileError` if
 * there is no optimum.
 */
export function largestRatio(
  polyhedron: PortfolioPolyhedron,
  means: Float64Array,
  riskFree: number,
): Float64Array {
  const verdict = maximumSharpe(polyhedron, { means, riskFree });
  if (!verdict.ok) throw new GoldenFileError(`there is no optimum: ${verdict.reason}`);
  return verdict.solution.weights;
}

/**
 * Returns the smallest risk and weights that have this risk. Throws a `GoldenFileError` if there is no
 * optimum.
 */
export function minimumTail(polyhedron: PortfolioPolyhedron, measure: RiskMeasure) {
  const verdict = minimumRisk(polyhedron, measure);
  if (!verdict.ok) throw new GoldenFileError(`there is no optimum: ${verdict.reason}`);
  return verdict.solution;
}

/** Converts series by asset into a table with one row of returns for each observation. */
export function returnTable(series: readonly ArrayLike<number>[]): ReturnTable {
  const [assets, count] = [series.length, series[0]?.length ?? 0];
  const returns = Float64Array.from(
    { length: assets * count },
    (_, at) => series[at % assets]![Math.floor(at / assets)]!,
  );
  return { assets, returns };
}
