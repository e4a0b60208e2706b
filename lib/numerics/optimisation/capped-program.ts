import { increasingRoot } from './increasing-root.ts';
import type { PortfolioPolyhedron } from './portfolio-polyhedron.ts';
import {
  multiply,
  portfolioProgram,
  TIE,
  varianceOf,
  type PortfolioObjective,
  type PortfolioSolution,
} from './portfolio-program.ts';
import type { ActiveSet } from './quadratic-program.ts';

/**
 * A limit on the volatility of weights less a reference, in the unit of the covariance matrix: tracking error where the
 * reference is a benchmark, volatility where it is zeros.
 */
export type VolatilityCap = { reference: Float64Array; max: number };

/** `multiplier` is that of (w - b)'S(w - b) / 2 <= max^2 / 2: how much the objective rises per unit below. */
export type CappedSolution = PortfolioSolution & { caps: { volatility: number; multiplier: number }[] };

export type CappedVerdict =
  | { ok: true; solution: CappedSolution }
  | { ok: false; reason: 'infeasible' | 'not_solved' }
  /** The cap with this index cannot be met; `smallest` is the smallest volatility that the constraints allow. */
  | { ok: false; reason: 'cap_infeasible'; cap: number; smallest: number };

const DOUBLINGS_MAX = 200;
/** A cap is met within this share of it. */
const MARGIN = 1e-12;
/** The rounding of a volatility of about 0, relative to the largest of an asset: the root of that of a variance. */
const ROUNDING = 1e-8;

/**
 * Minimises an objective over prepared constraints and caps on volatilities. All quadratic parts have the same matrix S,
 * so a cap with the multiplier v only changes the linear part: the objective risk w'Sw / 2 + c'w becomes, divided by
 * risk + v, w'Sw / 2 + t c'w - (1 - t risk) b'Sw with t = 1 / (risk + v). The volatility does not fall as t grows, and t
 * is where it reaches the cap. Caps are nested, at most three.
 *
 * Errors: `RangeError` on more caps and on a cap that is below 0 or NaN.
 *
 * Example: risk 0 with linear -mu and the cap {reference: benchmark, max: 0.03} maximises the return within a tracking
 * error of 3 %.
 */
export function cappedProgram(
  polyhedron: PortfolioPolyhedron,
  objective: PortfolioObjective,
  caps: readonly VolatilityCap[],
  start?: ActiveSet,
): CappedVerdict {
  if (caps.length > 3 || caps.some(({ max }) => !(max >= 0)))
    throw new RangeError('there are at most three caps, each not below 0');
  return solve(polyhedron, objective, caps, start);
}

function solve(
  polyhedron: PortfolioPolyhedron,
  objective: PortfolioObjective,
  caps: readonly VolatilityCap[],
  start?: ActiveSet,
): CappedVerdict {
  if (caps.length === 0) {
    const verdict = portfolioProgram(polyhedron, objective, start);
    return verdict.ok ? { ok: true, solution: { ...verdict.solution, caps: [] } } : verdict;
  }
  const [cap, rest] = [caps.at(-1)!, caps.slice(0, -1)];
  const within = (solution: CappedSolution) => distanceTo(polyhedron, cap, solution) - cap.max;
  const free = solve(polyhedron, objective, rest, start);
  if (!free.ok) return free;
  if (within(free.solution) <= MARGIN * cap.max)
    return { ok: true, solution: withCap(free.solution, polyhedron, cap, 0) };

  const pull = multiply(polyhedron.covariance, cap.reference);
  let warm = start;
  const at = (t: number): CappedVerdict => {
    const share = 1 - t * objective.risk;
    const linear = objective.linear.map((each, i) => t * each - share * pull[i]!);
    const found = solve(polyhedron, { risk: 1, linear, costWeight: t * objective.costWeight }, rest, warm);
    if (found.ok) warm = found.solution.active;
    return found;
  };
  const nearest = at(0);
  if (!nearest.ok) return nearest;
  const smallest = within(nearest.solution);
  if (smallest > MARGIN * cap.max + ROUNDING * largestVolatility(polyhedron))
    return { ok: false, reason: 'cap_infeasible', cap: rest.length, smallest: smallest + cap.max };

  const high = upperEnd(
    at,
    within,
    { ...objective, least: free.solution.objective },
    nearest.solution.variance,
  );
  if (high === undefined) return { ok: false, reason: 'not_solved' };
  if (high.value <= 0) {
    return { ok: true, solution: withCap(rescaled(objective, high.at, high.solution), polyhedron, cap, 0) };
  }
  const t = increasingRoot(
    (argument) => {
      const found = at(argument);
      return found.ok ? within(found.solution) : Number.NaN;
    },
    { at: 0, value: Math.min(0, smallest) },
    high,
  );
  const found = at(t);
  if (!found.ok) return found;
  // At t = 0 the cap leaves one point, and no multiplier is finite.
  const multiplier = t > 0 ? 1 / t - objective.risk : Infinity;
  return { ok: true, solution: withCap(rescaled(objective, t, found.solution), polyhedron, cap, multiplier) };
}

/**
 * Finds an argument whose volatility is above the cap, or the one that attains the optimum without the cap: among equal
 * optima it is the closest to the reference, and may be within the cap.
 */
function upperEnd(
  at: (t: number) => CappedVerdict,
  within: (solution: CappedSolution) => number,
  objective: PortfolioObjective & { least: number },
  variance: number,
): { at: number; value: number; solution: CappedSolution } | undefined {
  const { risk, least } = objective;
  let t = risk > 0 ? 1 / risk : Math.max(variance, 1e-12);
  for (let doubling = 0; doubling < DOUBLINGS_MAX; doubling += 1) {
    const found = at(t);
    if (!found.ok) return undefined;
    const { solution } = found;
    const value = within(solution);
    const isOptimal = objectiveAt(objective, solution) <= least + TIE * (1 + Math.abs(least));
    if (value > 0 || risk > 0 || isOptimal) return { at: t, value, solution };
    t *= 2;
  }
  return undefined;
}

function objectiveAt(
  { risk, linear, costWeight }: PortfolioObjective,
  { weights, variance, cost }: PortfolioSolution,
): number {
  let total = (risk * variance) / 2 + costWeight * cost;
  for (let i = 0; i < weights.length; i += 1) total += linear[i]! * weights[i]!;
  return total;
}

/** Puts the objective and the shadow prices of the scaled programme back into the unit of the given one. */
function rescaled(objective: PortfolioObjective, t: number, found: CappedSolution): CappedSolution {
  const unit = (value: number) => (value === 0 ? 0 : value / t);
  const { budget, rows, bounds, absolutes } = found.shadowPrices;
  return {
    ...found,
    objective: objectiveAt(objective, found),
    shadowPrices: {
      budget: unit(budget),
      rows: rows.map(unit),
      bounds: bounds.map(unit),
      absolutes: absolutes.map(unit),
    },
    caps: found.caps.map(({ volatility, multiplier }) => ({ volatility, multiplier: unit(multiplier) })),
  };
}

function withCap(
  solution: CappedSolution,
  polyhedron: PortfolioPolyhedron,
  cap: VolatilityCap,
  multiplier: number,
): CappedSolution {
  const volatility = distanceTo(polyhedron, cap, solution);
  return { ...solution, caps: [...solution.caps, { volatility, multiplier }] };
}

function distanceTo(
  { covariance }: PortfolioPolyhedron,
  { reference }: VolatilityCap,
  { weights }: PortfolioSolution,
): number {
  const difference = weights.map((weight, i) => weight - reference[i]!);
  return Math.sqrt(Math.max(0, varianceOf(covariance, difference)));
}

function largestVolatility({ assets, covariance }: PortfolioPolyhedron): number {
  let largest = 0;
  for (let i = 0; i < assets; i += 1) largest = Math.max(largest, covariance[i * assets + i]!);
  return Math.sqrt(largest);
}
