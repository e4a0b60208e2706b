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
import type { StartSet } from './start-set.ts';

/**
 * A limit on the volatility of the difference between the weights and a reference, in the unit of the
 * covariance matrix. For a benchmark as the reference, this volatility is the tracking error. For a reference
 * of zeros, it is the volatility of the weights.
 */
export type VolatilityCap = { reference: Float64Array; max: number };

/**
 * `multiplier` is the multiplier of (w - b)'S(w - b) / 2 <= max^2 / 2: the increase of the minimum of the
 * objective for each unit by which the right side is decreased.
 */
export type CappedSolution = PortfolioSolution & { caps: { volatility: number; multiplier: number }[] };

export type CappedVerdict =
  | { ok: true; solution: CappedSolution }
  | { ok: false; reason: 'infeasible' | 'not_solved' }
  /**
   * No weights satisfy the cap with this index. `smallest` is the smallest volatility that the constraints
   * allow.
   */
  | { ok: false; reason: 'cap_infeasible'; cap: number; smallest: number };

const DOUBLINGS_MAX = 200;
const VARIANCE_MIN = 1e-12;
/** Changes of weights up to this size count as no change. */
const SETTLED = 1e-12;
/** Relative tolerance of a cap: a volatility above the cap by at most this share counts as within the cap. */
const MARGIN = 1e-12;
/**
 * Rounding error of a volatility near 0, relative to the largest volatility of an asset. It is the square
 * root of the rounding error of a variance.
 */
const ROUNDING = 1e-8;

/**
 * Minimises an objective over prepared constraints and caps on volatilities. All quadratic terms have the same matrix
 * S. A cap with the multiplier v therefore only changes the linear term: the objective risk w'Sw / 2 + c'w, plus v
 * times the cap term and divided by risk + v, is w'Sw / 2 + t c'w - (1 - t risk) b'Sw with t = 1 / (risk + v). The
 * volatility of w - b does not decrease as t grows. A search finds the t at which this volatility equals the cap. If
 * there are several caps, each step of the search for one cap solves the programme with the caps before it; at most
 * three caps are allowed.
 *
 * Errors: `RangeError` on more than three caps, and on a cap that is below 0 or NaN.
 *
 * Example: risk 0 with linear -mu and the cap {reference: benchmark, max: 0.03} maximises the return within a
 * tracking error of 3 %.
 */
export function cappedProgram(
  polyhedron: PortfolioPolyhedron,
  objective: PortfolioObjective,
  caps: readonly VolatilityCap[],
  start?: StartSet,
): CappedVerdict {
  if (caps.length > 3 || caps.some(({ max }) => !(max >= 0)))
    throw new RangeError('there are at most three caps, each not below 0');
  return solve(polyhedron, objective, caps, start);
}

function solve(
  polyhedron: PortfolioPolyhedron,
  objective: PortfolioObjective,
  caps: readonly VolatilityCap[],
  start?: StartSet,
): CappedVerdict {
  if (caps.length === 0) {
    const verdict = portfolioProgram(polyhedron, objective, start);
    return verdict.ok ? { ok: true, solution: { ...verdict.solution, caps: [] } } : verdict;
  }
  const [cap, rest] = [caps.at(-1)!, caps.slice(0, -1)];
  const within = (solution: CappedSolution) => distanceTo(polyhedron, cap, solution) - cap.max;
  const pull = multiply(polyhedron.covariance, cap.reference);
  let warm = start;
  const at = (t: number): CappedVerdict => {
    const share = 1 - t * objective.risk;
    const linear = objective.linear.map((each, i) => t * each - share * pull[i]!);
    const found = solve(polyhedron, { risk: 1, linear, costWeight: t * objective.costWeight }, rest, warm);
    if (found.ok) warm = found.solution.active;
    return found;
  };
  // A linear programme with many bends takes much longer than the search. If the search finds a volatility above the
  // cap, the optimum without the cap is not needed. The search is therefore tried first.
  const isSlow = objective.risk === 0 && polyhedron.bends !== undefined;
  const least = isSlow ? at(0) : undefined;
  const above = least?.ok ? firstAbove(at, within, least.solution, cap) : undefined;
  const free = above ? undefined : solve(polyhedron, objective, rest, start);
  if (free?.ok === false) return free;
  if (free && within(free.solution) <= MARGIN * cap.max)
    return { ok: true, solution: withCap(free.solution, polyhedron, cap, 0) };

  const nearest = least ?? at(0);
  if (!nearest.ok) return nearest;
  const smallest = within(nearest.solution);
  if (smallest > MARGIN * cap.max + ROUNDING * largestVolatility(polyhedron))
    return { ok: false, reason: 'cap_infeasible', cap: rest.length, smallest: smallest + cap.max };

  const high = free
    ? upperEnd(at, within, { ...objective, least: free.solution.objective }, nearest.solution.variance)
    : above;
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
  // At t = 0 only one point satisfies the cap, and the multiplier is infinite.
  const multiplier = t > 0 ? 1 / t - objective.risk : Infinity;
  return { ok: true, solution: withCap(rescaled(objective, t, found.solution), polyhedron, cap, multiplier) };
}

type UpperEnd = { at: number; value: number; solution: CappedSolution };

/**
 * Returns the first t of a doubling sequence at which the volatility is above the cap. Returns undefined if the weights
 * stop changing before that, because the optimum without the cap is then probably reached.
 */
function firstAbove(
  at: (t: number) => CappedVerdict,
  within: (solution: CappedSolution) => number,
  nearest: CappedSolution,
  cap: VolatilityCap,
): UpperEnd | undefined {
  let { weights } = nearest;
  let t = Math.max(nearest.variance, VARIANCE_MIN);
  for (let doubling = 0; doubling < DOUBLINGS_MAX; doubling += 1) {
    const found = at(t);
    if (!found.ok) return undefined;
    const { solution } = found;
    const value = within(solution);
    if (value > MARGIN * cap.max) return { at: t, value, solution };
    const isMoved = solution.weights.some((weight, i) => Math.abs(weight - weights[i]!) > SETTLED);
    if (!isMoved && doubling > 0) return undefined;
    ({ weights } = solution);
    t *= 2;
  }
  return undefined;
}

/**
 * Returns the upper end of the search for t: a t at which the volatility is above the cap, or at which the
 * optimum without the cap is reached. Among equal optima, the optimum closest to the reference is found, and
 * it can be within the cap. Returns undefined if there is no such t.
 */
function upperEnd(
  at: (t: number) => CappedVerdict,
  within: (solution: CappedSolution) => number,
  objective: PortfolioObjective & { least: number },
  variance: number,
): UpperEnd | undefined {
  const { risk, least } = objective;
  let t = risk > 0 ? 1 / risk : Math.max(variance, VARIANCE_MIN);
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

/**
 * Converts the objective and the shadow prices of the scaled programme to the unit of the given programme.
 */
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
