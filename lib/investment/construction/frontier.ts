import { dot } from '#lib/numerics/dot-product.ts';
import { cappedProgram } from '#lib/numerics/optimisation/capped-program.ts';
import { linearRange } from '#lib/numerics/optimisation/linear-range.ts';
import type { AllocationProblem } from './allocation-problem.ts';
import { prepared } from './allocate.ts';

export type FrontierPoint = { expectedReturn: number; volatility: number; weights: Float64Array };

/**
 * Returns points of the efficient frontier within the limits of a problem, without costs. Each point has the
 * smallest volatility for its return. The returns are equally spaced, from the return of the minimum variance
 * portfolio to the largest return. Returns one point, the minimum variance portfolio, if `points` is 1 or if
 * all returns are equal. Throws if no weights satisfy the limits.
 */
export function frontier(problem: AllocationProblem, points: number): FrontierPoint[] {
  const found = feasibleFrontier(problem, points);
  if (!found) throw new Error('the frontier has no points');
  return found;
}

/** Returns the points of `frontier`, or null if no weights satisfy the limits. */
export function feasibleFrontier(problem: AllocationProblem, points: number): FrontierPoint[] | null {
  const { means, symbols, caps, before } = problem;
  if (points === 0 || !means) return [];
  const limit = problem.terms[0]?.max;
  const plain: AllocationProblem = {
    ...problem,
    objective: { kind: 'minimum_variance' },
    terms: limit === undefined ? [] : [{ from: before, max: limit }],
  };
  const polyhedron = prepared(plain);
  const nothing = new Float64Array(symbols.length);
  const variance = { risk: 2, linear: nothing, costWeight: 0 };
  const pointOf = (weights: Float64Array, squared: number): FrontierPoint => ({
    expectedReturn: dot(means, weights),
    volatility: Math.sqrt(squared),
    weights,
  });
  const first = cappedProgram(polyhedron, variance, caps);
  const last = cappedProgram(
    polyhedron,
    { risk: 0, linear: means.map((mean) => -mean), costWeight: 0 },
    caps,
  );
  if (!first.ok || !last.ok) return null;
  const [least, most] = [first.solution, last.solution].map(({ weights }) => dot(means, weights)) as [
    number,
    number,
  ];
  const start = pointOf(first.solution.weights, first.solution.variance);
  if (points === 1 || !(most > least)) return [start];
  const found = [start];
  for (let at = 1; at < points - 1; at += 1) {
    const target = least + ((most - least) * at) / (points - 1);
    const row = linearRange(means, { min: target });
    const verdict = cappedProgram({ ...polyhedron, rows: [...polyhedron.rows, row] }, variance, caps);
    if (!verdict.ok) return null;
    found.push(pointOf(verdict.solution.weights, verdict.solution.variance));
  }
  return [...found, pointOf(last.solution.weights, last.solution.variance)];
}
