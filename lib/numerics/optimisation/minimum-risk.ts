import { dot } from '../dot-product.ts';
import { dualSolver } from './dual-active-set.ts';
import { dualSimplex } from './linear-program.ts';
import { linearRange, type LinearRange } from './linear-range.ts';
import type { PortfolioPolyhedron } from './portfolio-polyhedron.ts';
import { quadraticProgram } from './quadratic-program.ts';
import type { RiskMeasure } from './risk-measure.ts';

const CUTS_MAX = 5_000;
/**
 * Maximum gap between the risk of the best weights and the lower bound of the risk, in units of the risk.
 * With a smaller gap, the best weights count as optimal.
 */
const GAP = 3e-11;
/** Minimum unit of the risk, relative to the scale of the measure. */
const UNIT_MIN = 1e-3;
/**
 * Position of the next cut on the line from the best weights (0) to the weights of the linear programme (1).
 * Cuts between these weights exclude more of the feasible set than cuts at 1, so fewer cuts are needed.
 */
const STRIDE = 0.3;
/**
 * Relative tolerance of the risk. Weights whose risk exceeds the smallest risk by less than this share count
 * as optimal.
 */
const TIE = 1e-9;
/** Tolerance of a risk near 0, relative to the scale of the measure. */
const ROUNDING = 4e-12;

export type RiskSolution = {
  weights: Float64Array;
  /** The smallest risk. The risk of the weights exceeds this risk by at most the share 1e-9. */
  risk: number;
  /** The numbers of cutting planes: for the smallest risk, then for the smallest variance. */
  cuts: [number, number];
  /** Whether the weights have the smallest variance among the optima. If so, the weights are unique. */
  isUnique: boolean;
};

export type RiskVerdict =
  | { ok: true; solution: RiskSolution }
  | { ok: false; reason: 'infeasible' | 'not_solved' };

/**
 * Minimises a piecewise linear risk over prepared constraints. Then minimises the variance among the weights
 * whose risk is within 1e-9 of the minimum, so that the weights are unique.
 *
 * Uses cutting planes. A linear programme minimises the largest of the slopes found so far, and gives weights
 * and a lower bound of the risk. The next cut is the slope at a point between the best weights and these
 * weights, or at these weights. The method ends after finitely many cuts, because the risk has finitely many
 * slopes.
 * Source: Künzi-Bay and Mayer, "Computational Aspects of Minimizing Conditional Value-at-Risk" (Computational
 * Management Science 3, 2006), section 3; Ben-Ameur and Neto, "Acceleration of Cutting-Plane and Column
 * Generation Algorithms" (Networks 49, 2007), for cuts at points between the two weights.
 */
export function minimumRisk(polyhedron: PortfolioPolyhedron, measure: RiskMeasure): RiskVerdict {
  const found = smallestRisk(polyhedron, measure);
  if (!found.ok) return found;
  return leastVariance(polyhedron, measure, found);
}

type Smallest = { ok: true; weights: Float64Array; risk: number; slopes: Float64Array[] };

function smallestRisk(
  polyhedron: PortfolioPolyhedron,
  measure: RiskMeasure,
): Smallest | { ok: false; reason: 'infeasible' | 'not_solved' } {
  const { assets, size, lower, upper, rows } = polyhedron;
  const start = safestWeights(polyhedron);
  if (!start.ok) return start;
  const first = measure.at(start.weights);
  let best = { weights: start.weights, risk: first.value };
  const unit = Math.max(Math.abs(first.value), UNIT_MIN * measure.scale) || 1;
  const floor = measure.floor(lower.subarray(0, assets), upper.subarray(0, assets)) / unit;
  // The last variable is the risk divided by this unit, so that the tolerances of the simplex method are
  // relative to the risk.
  const simplex = dualSimplex({
    costs: Float64Array.of(...new Float64Array(size), 1),
    lower: Float64Array.of(...lower, floor),
    upper: Float64Array.of(...upper, Infinity),
  });
  for (const row of rows) simplex.addRow(row);
  const slopes: Float64Array[] = [];
  const add = (slope: Float64Array): void => {
    slopes.push(slope);
    simplex.addRow(cutOf(slope, { size, unit }));
  };
  add(first.slope);
  let isRough = true;
  for (let step = 0; step < CUTS_MAX; step += 1) {
    const verdict = simplex.solve({ isRough });
    if (!verdict.ok)
      return { ok: false, reason: verdict.reason === 'infeasible' ? 'infeasible' : 'not_solved' };
    const { x, objective } = verdict.solution;
    const bound = objective * unit;
    const outer = x.slice(0, assets);
    const inner = best.weights;
    const between = outer.map((weight, i) => inner[i]! + STRIDE * (weight - inner[i]!));
    const cut = measure.at(between);
    if (cut.value < best.risk) best = { weights: between, risk: cut.value };
    if (dot(cut.slope, outer) - bound > GAP * unit) {
      add(cut.slope);
      continue;
    }
    const { value, slope } = measure.at(outer);
    if (value < best.risk) best = { weights: outer, risk: value };
    if (value - bound > GAP * unit) {
      add(slope);
      continue;
    }
    if (!isRough) return { ok: true, ...best, slopes };
    isRough = false;
  }
  return { ok: false, reason: 'not_solved' };
}

/** Returns the weights with the smallest variance. */
function safestWeights({ assets, size, lift, lower, upper, rows }: PortfolioPolyhedron) {
  const { matrix, factor, shift } = lift();
  const linear = shift.map((each) => -each);
  const verdict = quadraticProgram({ size, matrix, factor, linear, lower, upper, rows });
  return verdict.ok ? { ok: true as const, weights: verdict.solution.x.slice(0, assets) } : verdict;
}

/** Returns the cut risk >= slope'w, with the risk in units. */
function cutOf(slope: Float64Array, { size, unit }: { size: number; unit: number }): LinearRange {
  const row = new Float64Array(size + 1);
  for (let i = 0; i < slope.length; i += 1) row[i] = -slope[i]! / unit;
  row[size] = 1;
  return linearRange(row, { min: 0 });
}

/**
 * Minimises the variance among the weights with the smallest risk. Adds cutting planes that bound the risk.
 */
function leastVariance(
  polyhedron: PortfolioPolyhedron,
  measure: RiskMeasure,
  { weights: vertex, risk, slopes }: Smallest,
): RiskVerdict {
  const { assets, size, lift, lower, upper, rows } = polyhedron;
  const { matrix, factor, shift } = lift();
  const allowance = Math.max((TIE / 3) * Math.abs(risk), ROUNDING * measure.scale);
  const [max, limit] = [risk + allowance, risk + 2 * allowance];
  const near = slopes.filter(
    (slope) => dot(slope, vertex) > risk - 1e-6 * Math.max(Math.abs(risk), 1e-3 * measure.scale),
  );
  const cuts = near.map((slope) => linearRange(slope, { max }));
  const linear = shift.map((each) => -each);
  const program = { size, matrix, factor, linear, lower, upper, rows: [...rows, ...cuts] };
  const solver = dualSolver(program);
  for (let more = 0; more < CUTS_MAX; more += 1) {
    const found = solver.solve();
    if (!found.ok) break;
    const weights = found.point.x.subarray(0, assets);
    const { value, slope } = measure.at(weights);
    if (value <= limit) {
      const exact = quadraticProgram({ ...program, rows: [...rows, ...cuts] }, found.active);
      if (!exact.ok) break;
      const settled = exact.solution.x.slice(0, assets);
      if (measure.at(settled).value > limit + allowance) break;
      return { ok: true, solution: { weights: settled, risk, cuts: [slopes.length, more], isUnique: true } };
    }
    const cut = linearRange(slope, { max });
    cuts.push(cut);
    solver.addRow(cut);
  }
  return { ok: true, solution: { weights: vertex, risk, cuts: [slopes.length, 0], isUnique: false } };
}
