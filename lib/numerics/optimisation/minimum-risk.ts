import { dualSolver } from './dual-active-set.ts';
import { dualSimplex } from './linear-program.ts';
import { linearRange, type LinearRange } from './linear-range.ts';
import type { PortfolioPolyhedron } from './portfolio-polyhedron.ts';
import { quadraticProgram } from './quadratic-program.ts';
import type { RiskMeasure } from './risk-measure.ts';

const CUTS_MAX = 5_000;
/** The gap between the risk and its lower bound, relative to the risk, at which the optimum is found. */
const GAP = 1e-12;
/** The gap at which the linear programme is solved without rounding from then on. */
const ROUGH_GAP = 1e-11;
/** Weights whose risk is above the smallest by less than this share of it count as optimal. */
const TIE = 1e-9;
/** The same for a risk of about 0, relative to its scale. */
const ROUNDING = 4e-12;

export type RiskSolution = {
  weights: Float64Array;
  /** The smallest risk. That of the weights is above it by at most 1e-9 of it. */
  risk: number;
  /** The number of cutting planes, for the risk and then for the variance. */
  cuts: [number, number];
  /** Whether the weights are those of the smallest variance among the optima, and so unique. */
  isUnique: boolean;
};

export type RiskVerdict =
  | { ok: true; solution: RiskSolution }
  | { ok: false; reason: 'infeasible' | 'not_solved' };

/**
 * Minimises a piecewise linear risk over prepared constraints, and then the variance among the optima within 1e-9, so
 * that the weights are unique.
 *
 * Cutting planes: a linear programme over the largest of the slopes met so far gives weights and a lower bound; the slope
 * at these weights is the next cut. It ends after finitely many, because the risk has finitely many slopes.
 * Source: Künzi-Bay and Mayer, "Computational Aspects of Minimizing Conditional Value-at-Risk" (Computational Management
 * Science 3, 2006), section 3; Kelley, "The Cutting-Plane Method for Solving Convex Programs" (SIAM Journal 8, 1960).
 */
export function minimumRisk(polyhedron: PortfolioPolyhedron, measure: RiskMeasure): RiskVerdict {
  const found = smallestRisk(polyhedron, measure);
  if (!found.ok) return found;
  return leastVariance(polyhedron, measure, found);
}

type Smallest = { ok: true; weights: Float64Array; risk: number; slopes: Float64Array[] };

function smallestRisk(
  { assets, size, lower, upper, rows }: PortfolioPolyhedron,
  measure: RiskMeasure,
): Smallest | { ok: false; reason: 'infeasible' | 'not_solved' } {
  const floor = measure.floor(lower.subarray(0, assets), upper.subarray(0, assets));
  // The last variable is the risk.
  const simplex = dualSimplex({
    costs: Float64Array.of(...new Float64Array(size), 1),
    lower: Float64Array.of(...lower, floor),
    upper: Float64Array.of(...upper, Infinity),
  });
  for (const row of rows) simplex.addRow(row);
  const slopes: Float64Array[] = [];
  let best: { weights: Float64Array; risk: number } | undefined;
  let isRough = true;
  for (let cut = 0; cut < CUTS_MAX; cut += 1) {
    const verdict = simplex.solve({ isRough });
    if (!verdict.ok)
      return { ok: false, reason: verdict.reason === 'infeasible' ? 'infeasible' : 'not_solved' };
    const { x, objective: bound } = verdict.solution;
    const weights = x.slice(0, assets);
    const { value, slope } = measure.at(weights);
    if (best === undefined || value < best.risk) best = { weights, risk: value };
    if (best.risk - bound <= (isRough ? ROUGH_GAP : GAP) * Math.max(Math.abs(best.risk), measure.scale)) {
      if (!isRough) return { ok: true, ...best, slopes };
      isRough = false;
      continue;
    }
    slopes.push(slope);
    simplex.addRow(cutOf(slope, size));
  }
  return { ok: false, reason: 'not_solved' };
}

/** The risk is at least slope'w. */
function cutOf(slope: Float64Array, size: number): LinearRange {
  const row = new Float64Array(size + 1);
  for (let i = 0; i < slope.length; i += 1) row[i] = -slope[i]!;
  row[size] = 1;
  return linearRange(row, { min: 0 });
}

/** Minimises the variance where the risk is the smallest, with cutting planes for the risk. */
function leastVariance(
  polyhedron: PortfolioPolyhedron,
  measure: RiskMeasure,
  { weights: vertex, risk, slopes }: Smallest,
): RiskVerdict {
  const { assets, size, matrix, factor, shift, lower, upper, rows } = polyhedron;
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

function dot(one: Float64Array, other: Float64Array): number {
  let total = 0;
  for (let i = 0; i < one.length; i += 1) total += one[i]! * other[i]!;
  return total;
}
