import { gradientAt } from './active-set.ts';
import { scaledBends, type Bends } from './bends.ts';
import { guessBentSet, type BentPoint } from './bent-active-set.ts';
import { dualBentSet } from './dual-bent-set.ts';
import { linearProgram } from './linear-program.ts';
import { linearRange, type LinearRange } from './linear-range.ts';
import { costOf, type PortfolioPolyhedron } from './portfolio-polyhedron.ts';
import { quadraticProgram } from './quadratic-program.ts';
import { fittingBends, fittingSet, type StartSet } from './start-set.ts';

/**
 * Tolerance of the minimum of a linear objective, relative to 1 + its size. Values within the tolerance count
 * as equally good.
 */
export const TIE = 1e-9;
/**
 * Maximum residual of the optimality conditions of a solution without distance variables. Above this
 * residual, the programme with distance variables is solved instead.
 */
const BENT_RESIDUAL_MAX = 1e-10;
/** The largest weight of a linear objective relative to the variance. */
const PULL_MAX = 1e18;

/**
 * An objective to minimise: risk w'Sw / 2 + linear'w + costWeight * costs, where S is the covariance matrix.
 * `risk` is at least 0. If `risk` is 0, the objective is linear, and of all optima the weights with the
 * smallest variance are returned.
 */
export type PortfolioObjective = { risk: number; linear: Float64Array; costWeight: number };

/**
 * Optimal weights with the shadow prices of the constraints. A shadow price is the change of the minimum for
 * one unit of the binding bound: at least 0 for a lower bound, at most 0 for an upper bound.
 */
export type PortfolioSolution = {
  weights: Float64Array;
  /** The costs of purchases and sales, as a share of the portfolio value. */
  cost: number;
  objective: number;
  variance: number;
  shadowPrices: { budget: number; rows: Float64Array; bounds: Float64Array; absolutes: Float64Array };
  kktResidual: number;
  active: StartSet;
};

export type PortfolioVerdict =
  | { ok: true; solution: PortfolioSolution }
  | { ok: false; reason: 'infeasible' | 'not_solved' };

/**
 * Minimises an objective over prepared constraints. `infeasible`: no weights satisfy the constraints.
 * `not_solved`: a step limit was reached.
 *
 * Example: risk 1 without linear terms and costs gives the minimum variance portfolio.
 */
export function portfolioProgram(
  polyhedron: PortfolioPolyhedron,
  objective: PortfolioObjective,
  start?: StartSet,
): PortfolioVerdict {
  return objective.risk > 0
    ? quadratic(polyhedron, objective, [], start)
    : linearThenQuadratic(polyhedron, objective);
}

function quadratic(
  polyhedron: PortfolioPolyhedron,
  objective: PortfolioObjective,
  more: readonly LinearRange[],
  start?: StartSet,
) {
  const isPlain = more.every(({ index }) => index.every((at) => at < polyhedron.assets));
  if (polyhedron.bends && isPlain) {
    const bent = quadraticWithBends(polyhedron, polyhedron.bends, { objective, more, start });
    if (bent) return bent;
  }
  const rows = [...polyhedron.rows, ...more];
  const { size, lower, upper } = polyhedron;
  const { matrix, factor, shift } = polyhedron.lift();
  const slopes = slopesOf(polyhedron, objective);
  const linear = slopes.map((slope, j) => slope / objective.risk - shift[j]!);
  const verdict = quadraticProgram(
    { size, matrix, factor, linear, lower, upper, rows },
    fittingSet(start, size, rows.length),
  );
  if (!verdict.ok) return verdict;
  const { x, rowMultipliers, boundMultipliers, kktResidual, active } = verdict.solution;
  const prices = (values: Float64Array) => values.map((value) => value * objective.risk + 0);
  return {
    ok: true as const,
    point: x,
    solution: {
      ...measured(polyhedron, objective, x),
      shadowPrices: pricesOf(polyhedron, prices(rowMultipliers), prices(boundMultipliers)),
      kktResidual,
      active,
    },
  };
}

type BentRequest = {
  objective: PortfolioObjective;
  more: readonly LinearRange[];
  start: StartSet | undefined;
};

/**
 * Solves a programme over the weights only, with the distances as bends of the objective. Returns null if
 * this method finds no solution. The programme with distance variables must then be solved.
 */
function quadraticWithBends(
  polyhedron: PortfolioPolyhedron,
  bends: Bends,
  { objective, more, start }: BentRequest,
) {
  const { assets: size, covariance: matrix, factor, plainRows } = polyhedron;
  const rows = [...polyhedron.rows.slice(0, plainRows), ...more];
  const share = objective.costWeight / objective.risk;
  const program = {
    size,
    matrix,
    factor,
    linear: objective.linear.map((slope) => slope / objective.risk),
    lower: polyhedron.lower.subarray(0, size),
    upper: polyhedron.upper.subarray(0, size),
    rows,
  };
  const scaled = scaledBends(bends, share);
  const warm = fittingBends(start, scaled, rows.length);
  const guess = (warm && guessBentSet(program, scaled, warm)) ?? guessBentSet(program, scaled);
  const verdict = isExact(guess) ? ({ ok: true, point: guess } as const) : dualBentSet(program, scaled);
  if (!verdict.ok)
    return verdict.reason === 'infeasible' ? { ok: false as const, reason: verdict.reason } : null;
  const found = verdict.point;
  const price = (value: number) => value * objective.risk + 0;
  const point = withDistances(polyhedron, found.x);
  return {
    ok: true as const,
    point,
    solution: {
      ...measured(polyhedron, objective, point),
      shadowPrices: {
        budget: price(found.rowMultipliers[0]!),
        rows: found.rowMultipliers.slice(1, plainRows).map(price),
        bounds: found.boundMultipliers.map(price),
        absolutes: Float64Array.from(polyhedron.limits, (at) => (at < 0 ? 0 : price(found.limitMultiplier))),
      },
      kktResidual: found.kktResidual,
      active: found.active,
    },
  };
}

function isExact(point: BentPoint | null): point is BentPoint {
  return point !== null && point.kktResidual < BENT_RESIDUAL_MAX;
}

/**
 * Returns the weights, followed by the distance variables. `from` is read from the second of the two rows of
 * each distance variable.
 */
function withDistances(
  { rows, plainRows, size, assets }: PortfolioPolyhedron,
  weights: Float64Array,
): Float64Array {
  const point = new Float64Array(size);
  point.set(weights);
  for (let at = assets; at < size; at += 1) {
    const { index, min } = rows[plainRows + 2 * (at - assets) + 1]!;
    point[at] = Math.abs(weights[index[0]!]! - min);
  }
  return point;
}

/**
 * Minimises linear'w + costWeight * costs over prepared constraints. The variance has no effect. The rows
 * that define distances are only added when a solution violates them.
 */
export function linearOptimum(
  polyhedron: PortfolioPolyhedron,
  objective: Pick<PortfolioObjective, 'linear' | 'costWeight'>,
) {
  const { lower, upper, rows, plainRows, size, assets } = polyhedron;
  const slopes = slopesOf(polyhedron, objective);
  const distances = 2 * (size - assets);
  const [plain, definitions, limits] = [
    rows.slice(0, plainRows),
    rows.slice(plainRows, plainRows + distances),
    rows.slice(plainRows + distances),
  ];
  const verdict = linearProgram({
    costs: slopes,
    lower,
    upper,
    rows: [...plain, ...limits],
    lazy: definitions,
  });
  if (!verdict.ok) {
    return {
      ok: false as const,
      reason: verdict.reason === 'infeasible' ? ('infeasible' as const) : ('not_solved' as const),
    };
  }
  const found = verdict.solution.rowMultipliers;
  const rowMultipliers = new Float64Array(rows.length);
  rowMultipliers.set(found.subarray(0, plainRows));
  rowMultipliers.set(found.subarray(plainRows, plainRows + limits.length), plainRows + distances);
  rowMultipliers.set(found.subarray(plainRows + limits.length), plainRows);
  const value = verdict.solution.objective + objective.costWeight * polyhedron.costConstant;
  return { ok: true as const, slopes, value, solution: { ...verdict.solution, rowMultipliers } };
}

/** Solves the linear programme, then minimises the variance among the optima. */
function linearThenQuadratic(
  polyhedron: PortfolioPolyhedron,
  objective: PortfolioObjective,
): PortfolioVerdict {
  const best = linearOptimum(polyhedron, objective);
  if (!best.ok) return best;
  const least = best.solution.objective;
  const max = least + TIE * (1 + Math.abs(least));
  const variance = { risk: 1, linear: new Float64Array(polyhedron.assets), costWeight: 0 };
  const verdict =
    pulledToOptimum(polyhedron, objective, best.value + TIE * (1 + Math.abs(best.value))) ??
    quadratic(polyhedron, variance, [linearRange(best.slopes, { max })]);
  if (!verdict.ok) return { ok: false, reason: 'not_solved' };
  const { solution, point } = verdict;
  const { rowMultipliers, boundMultipliers } = best.solution;
  const shadowPrices = pricesOf(polyhedron, rowMultipliers, boundMultipliers);
  // This programme has an additional row that keeps the optimum of the linear programme. Other programmes
  // cannot start from an active set with this row, so an empty active set is returned.
  const active = { bounds: new Int8Array(0), rows: new Int8Array(0) };
  return {
    ok: true,
    solution: { ...solution, ...measured(polyhedron, objective, point), shadowPrices, active },
  };
}

/**
 * Minimises the variance plus t times a linear objective with bends, for the first t of 1, 4, 16, ... at which the
 * linear objective is at most `most`. The result has the smallest variance at that objective. Returns null if there are
 * no bends, or if no t suffices.
 */
function pulledToOptimum(polyhedron: PortfolioPolyhedron, objective: PortfolioObjective, most: number) {
  const { bends } = polyhedron;
  if (!bends) return null;
  let start: StartSet | undefined;
  for (let t = 1; t <= PULL_MAX; t *= 4) {
    const linear = objective.linear.map((slope) => t * slope);
    const pulled = { risk: 1, linear, costWeight: t * objective.costWeight };
    const found = quadraticWithBends(polyhedron, bends, { objective: pulled, more: [], start });
    if (!found?.ok) return null;
    if (measured(polyhedron, objective, found.point).objective <= most) return found;
    start = found.solution.active;
  }
  return null;
}

function slopesOf(
  { costs, assets }: PortfolioPolyhedron,
  { linear, costWeight }: Pick<PortfolioObjective, 'linear' | 'costWeight'>,
) {
  return costs.map((cost, j) => (j < assets ? linear[j]! : 0) + costWeight * cost);
}

function measured(polyhedron: PortfolioPolyhedron, objective: PortfolioObjective, point: Float64Array) {
  const { assets, covariance } = polyhedron;
  const weights = point.slice(0, assets);
  const cost = costOf(polyhedron, point);
  const variance = varianceOf(covariance, weights);
  let total = (objective.risk * variance) / 2 + objective.costWeight * cost;
  for (let i = 0; i < assets; i += 1) total += objective.linear[i]! * weights[i]!;
  return { weights, cost, variance, objective: total };
}

function pricesOf(
  { limits, assets, plainRows }: PortfolioPolyhedron,
  rowPrices: Float64Array,
  boundPrices: Float64Array,
): PortfolioSolution['shadowPrices'] {
  return {
    budget: rowPrices[0]!,
    rows: rowPrices.slice(1, plainRows),
    bounds: boundPrices.slice(0, assets),
    absolutes: Float64Array.from(limits, (at) => (at < 0 ? 0 : rowPrices[at]!)),
  };
}

/** Returns the variance w'Sw of weights w. */
export function varianceOf(covariance: Float64Array, weights: Float64Array): number {
  const product = multiply(covariance, weights);
  let total = 0;
  for (let i = 0; i < weights.length; i += 1) total += weights[i]! * product[i]!;
  return total;
}

/** Returns the product Sw of a covariance matrix and weights. */
export function multiply(covariance: Float64Array, weights: Float64Array): Float64Array {
  return gradientAt(covariance, new Float64Array(weights.length), weights);
}
