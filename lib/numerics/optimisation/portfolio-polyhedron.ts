import { bendsOf, type AbsoluteTerm, type Bends } from './bends.ts';
import { denseCholesky, invertLower } from './dense-cholesky.ts';
import { sumRange, type LinearRange } from './linear-range.ts';

export type { AbsoluteTerm } from './bends.ts';

/**
 * The constraints of the weights. `budget` is the sum of the weights; `rows` are group limits and other
 * linear constraints.
 */
export type PortfolioConstraints = {
  lower: Float64Array;
  upper: Float64Array;
  budget: number;
  rows?: readonly LinearRange[];
  absolutes?: readonly AbsoluteTerm[];
};

/** A strictly convex quadratic form of the weights and the distance variables; see `portfolioPolyhedron`. */
export type LiftedForm = { matrix: Float64Array; factor: Float64Array; shift: Float64Array };

/**
 * The constraints as bounds and rows over the weights and the distance variables u_i. A distance |w_i -
 * from_i| has a variable u_i only if `from_i` is strictly between the bounds of w_i; otherwise, the distance
 * is linear. `rows` has the budget, the rows of the constraints, two rows for each u_i, and one row for each
 * limit.
 *
 * `factor` is the Cholesky factor of the covariance matrix. `lift` computes the quadratic form of all
 * variables at the first call. The `shift` of the form is subtracted from the linear part of an objective.
 * The costs of purchases and sales at a point x are `costs`'x + `costConstant`.
 */
export type PortfolioPolyhedron = {
  assets: number;
  size: number;
  covariance: Float64Array;
  factor: Float64Array;
  lift(): LiftedForm;
  lower: Float64Array;
  upper: Float64Array;
  rows: readonly LinearRange[];
  costs: Float64Array;
  costConstant: number;
  /** The index in `rows` of the limit of each absolute term; -1 for a term without a limit. */
  limits: readonly number[];
  /** The bends of the absolute terms, if they need variables u_i and at most one of them has a limit. */
  bends: Bends | undefined;
  /** The number of rows before the rows of the absolute terms. */
  plainRows: number;
};

export type PolyhedronVerdict =
  | { ok: true; polyhedron: PortfolioPolyhedron }
  | { ok: false; reason: 'not_identifiable'; at: number; pivot: number };

/**
 * Prepares a covariance matrix and constraints for any number of quadratic programmes.
 *
 * The variables satisfy u_i >= |w_i - from_i|, and the term r (u_i^2 - (w_i - from_i)^2) / 2 is added to the
 * objective. The term is at least 0, and is 0 where u_i equals the distance, so the minimum does not change.
 * r is at most half of 1 / trace S^-1, which is below the smallest eigenvalue of S. The objective is
 * therefore strictly convex in w and u.
 *
 * Shapes: `covariance` S is n-by-n, row-major. Refuses a matrix with a pivot below 1e-12 of its diagonal
 * element.
 * Errors: `RangeError` on sizes that differ.
 */
export function portfolioPolyhedron(
  covariance: Float64Array,
  constraints: PortfolioConstraints,
): PolyhedronVerdict {
  const { lower, upper, budget, rows = [], absolutes = [] } = constraints;
  const assets = lower.length;
  if (covariance.length !== assets * assets || upper.length !== assets || assets === 0)
    throw new RangeError('the covariance matrix and the bounds have different sizes');
  const verdict = denseCholesky(covariance, assets);
  if (!verdict.ok) return { ok: false, reason: 'not_identifiable', at: verdict.at, pivot: verdict.pivot };
  const all = sumRange(
    Array.from({ length: assets }, (_, i) => i),
    { min: budget, max: budget },
  );
  const lifted = liftTerms(constraints);
  const { bends, size } = lifted;
  const whole = [all, ...rows, ...lifted.rows];
  const common = {
    assets,
    size,
    covariance,
    rows: whole,
    lower: extended(lower, size, 0),
    upper: extended(upper, size, Infinity),
    costs: lifted.costs,
    costConstant: lifted.costConstant,
    limits: limitsOf(absolutes, 1 + rows.length + 2 * bends.length),
    bends: bends.length > 0 ? bendsOf({ lower, upper, absolutes }) : undefined,
    plainRows: 1 + rows.length,
  };
  let form: LiftedForm | undefined;
  const lift = () =>
    (form ??= liftedForm({ covariance, factor: verdict.lower, size, bends, terms: absolutes.length }));
  return { ok: true, polyhedron: { ...common, factor: verdict.lower, lift } };
}

type FormParts = {
  covariance: Float64Array;
  factor: Float64Array;
  size: number;
  bends: readonly Bend[];
  terms: number;
};

function liftedForm({ covariance, factor, size, bends, terms }: FormParts): LiftedForm {
  const shift = new Float64Array(size);
  if (bends.length === 0) return { matrix: covariance, factor, shift };
  const assets = size - bends.length;
  const curvature = 1 / (2 * terms * traceOfInverse(factor, assets));
  const matrix = new Float64Array(size * size);
  for (let i = 0; i < assets; i += 1) matrix.set(covariance.subarray(i * assets, (i + 1) * assets), i * size);
  for (const { asset, from, at } of bends) {
    matrix[asset * size + asset]! -= curvature;
    matrix[at * size + at] = curvature;
    shift[asset]! -= curvature * from;
  }
  const larger = denseCholesky(matrix, size);
  if (!larger.ok) throw new RangeError('the covariance matrix is too close to a singular one for distances');
  return { matrix, factor: larger.lower, shift };
}

type Bend = { asset: number; from: number; at: number };

/**
 * Creates a variable for each distance whose `from` is strictly between the bounds; other distances are
 * linear. The returned rows are two rows for each of these variables, then one row for each limit.
 */
export function liftTerms({ lower, upper, absolutes = [] }: PortfolioConstraints) {
  const assets = lower.length;
  const bends: Bend[] = [];
  const linear: { index: number[]; value: number[]; constant: number }[] = [];
  const costs: number[] = Array.from({ length: assets }, () => 0);
  let costConstant = 0;
  for (const { from, purchase, sale } of absolutes) {
    const sum = { index: [] as number[], value: [] as number[], constant: 0 };
    for (let i = 0; i < assets; i += 1) {
      const [buy, sell] = [purchase?.[i] ?? 0, sale?.[i] ?? 0];
      const sign = lower[i]! >= from[i]! ? 1 : upper[i]! <= from[i]! ? -1 : 0;
      const slope = sign > 0 ? buy : sign < 0 ? -sell : (buy - sell) / 2;
      costs[i]! += slope;
      costConstant -= slope * from[i]!;
      if (sign === 0) {
        const at = assets + bends.length;
        bends.push({ asset: i, from: from[i]!, at });
        costs.push((buy + sell) / 2);
        sum.index.push(at);
        sum.value.push(1);
      } else {
        sum.index.push(i);
        sum.value.push(sign);
        sum.constant -= sign * from[i]!;
      }
    }
    linear.push(sum);
  }
  const rows = bends.flatMap(({ asset, from, at }) => [
    rangeOf([asset, at], [-1, 1], { min: -from, max: Infinity }),
    rangeOf([asset, at], [1, 1], { min: from, max: Infinity }),
  ]);
  absolutes.forEach(({ max }, k) => {
    const { index, value, constant } = linear[k]!;
    if (max !== undefined) rows.push(rangeOf(index, value, { min: -Infinity, max: max - constant }));
  });
  return { bends, rows, size: assets + bends.length, costs: Float64Array.from(costs), costConstant };
}

function limitsOf(absolutes: readonly AbsoluteTerm[], first: number): number[] {
  let next = first;
  return absolutes.map(({ max }) => (max === undefined ? -1 : next++));
}

function rangeOf(index: number[], value: number[], { min, max }: { min: number; max: number }): LinearRange {
  return { index: Int32Array.from(index), value: Float64Array.from(value), min, max };
}

function extended(values: Float64Array, size: number, fill: number): Float64Array {
  const longer = new Float64Array(size).fill(fill);
  longer.set(values);
  return longer;
}

function traceOfInverse(factor: Float64Array, size: number): number {
  const inverse = invertLower(factor, size);
  let total = 0;
  for (let at = 0; at < inverse.length; at += 1) total += inverse[at]! * inverse[at]!;
  return total;
}

/** Returns the costs of purchases and sales at a point, as a share of the portfolio value. */
export function costOf({ costs, costConstant }: PortfolioPolyhedron, point: Float64Array): number {
  let total = costConstant;
  for (let j = 0; j < costs.length; j += 1) total += costs[j]! * point[j]!;
  return total;
}
