import { gradientAt } from './active-set.ts';
import { guessBentSet, type Bends } from './bent-active-set.ts';
import { linearProgram } from './linear-program.ts';
import { linearRange, type LinearRange } from './linear-range.ts';
import { costOf, type PortfolioPolyhedron } from './portfolio-polyhedron.ts';
import { quadraticProgram, type ActiveSet } from './quadratic-program.ts';

/** Optima of a linear objective that differ by less, relative to 1 + its size, count as equal. */
export const TIE = 1e-9;
/** Above this residual the programme with variables for the distances is solved. */
const BENT_RESIDUAL_MAX = 1e-10;

/**
 * An objective: risk w'Sw / 2 + linear'w + costWeight * costs, with S the covariance matrix. `risk` is not below 0; with 0
 * the objective is linear, and the optimum with the smallest variance is returned.
 */
export type PortfolioObjective = { risk: number; linear: Float64Array; costWeight: number };

/**
 * Weights with the shadow prices of the constraints: the change of the objective for one unit of the side that binds, not
 * below 0 for a lower side and not above 0 for an upper one.
 */
export type PortfolioSolution = {
  weights: Float64Array;
  /** The costs of purchases and sales, as a share of value. */
  cost: number;
  objective: number;
  variance: number;
  shadowPrices: { budget: number; rows: Float64Array; bounds: Float64Array; absolutes: Float64Array };
  kktResidual: number;
  active: ActiveSet;
};

export type PortfolioVerdict =
  | { ok: true; solution: PortfolioSolution }
  | { ok: false; reason: 'infeasible' | 'not_solved' };

/**
 * Minimises an objective over prepared constraints. `infeasible`: no weights meet them. `not_solved`: a step limit.
 *
 * Example: with risk 1 and nothing else the result is the minimum variance portfolio.
 */
export function portfolioProgram(
  polyhedron: PortfolioPolyhedron,
  objective: PortfolioObjective,
  start?: ActiveSet,
): PortfolioVerdict {
  return objective.risk > 0
    ? quadratic(polyhedron, objective, [], start)
    : linearThenQuadratic(polyhedron, objective);
}

function quadratic(
  polyhedron: PortfolioPolyhedron,
  objective: PortfolioObjective,
  more: readonly LinearRange[],
  start?: ActiveSet,
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
    fitting(start, size, rows.length),
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
  start: ActiveSet | undefined;
};

/**
 * Solves over the weights alone, with the distances as bends of the objective; null if that does not settle, so that the
 * programme with variables for the distances has to be solved.
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
  const scaled = {
    ...bends,
    purchase: bends.purchase.map((cost) => cost * share),
    sale: bends.sale.map((cost) => cost * share),
  };
  const warm = fitting(start, size, rows.length + 1);
  const found = (warm && guessBentSet(program, scaled, warm)) ?? guessBentSet(program, scaled);
  if (!found || !(found.kktResidual < BENT_RESIDUAL_MAX)) return null;
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
        absolutes: Float64Array.of(price(found.limitMultiplier)),
      },
      kktResidual: found.kktResidual,
      active: found.active,
    },
  };
}

/** The start, if it is of a programme of this form. */
function fitting(start: ActiveSet | undefined, size: number, rows: number): ActiveSet | undefined {
  return start?.bounds.length === size && start.rows.length === rows ? start : undefined;
}

/** The weights and their distances, which are the second of the two rows of each. */
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
 * Minimises linear'w + costWeight * costs over prepared constraints, whatever the variance. Rows that define distances
 * are added where they are needed.
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

/** Solves the linear programme, and then minimises the variance among its optima. */
function linearThenQuadratic(
  polyhedron: PortfolioPolyhedron,
  objective: PortfolioObjective,
): PortfolioVerdict {
  const best = linearOptimum(polyhedron, objective);
  if (!best.ok) return best;
  const least = best.solution.objective;
  const optimal = linearRange(best.slopes, { max: least + TIE * (1 + Math.abs(least)) });
  const variance = { risk: 1, linear: new Float64Array(polyhedron.assets), costWeight: 0 };
  const verdict = quadratic(polyhedron, variance, [optimal]);
  if (!verdict.ok) return { ok: false, reason: 'not_solved' };
  const { solution, point } = verdict;
  const { rowMultipliers, boundMultipliers } = best.solution;
  const shadowPrices = pricesOf(polyhedron, rowMultipliers, boundMultipliers);
  // The row of the optima is the last, or the last but the limit of bends: no other programme can begin here.
  const active = { bounds: new Int8Array(0), rows: new Int8Array(0) };
  return {
    ok: true,
    solution: { ...solution, ...measured(polyhedron, objective, point), shadowPrices, active },
  };
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

/** Returns w'Sw. */
export function varianceOf(covariance: Float64Array, weights: Float64Array): number {
  const product = multiply(covariance, weights);
  let total = 0;
  for (let i = 0; i < weights.length; i += 1) total += weights[i]! * product[i]!;
  return total;
}

/** Returns Sw. */
export function multiply(covariance: Float64Array, weights: Float64Array): Float64Array {
  return gradientAt(covariance, new Float64Array(weights.length), weights);
}
