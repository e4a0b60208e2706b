import type { Bends } from './bent-active-set.ts';
import { denseCholesky, invertLower } from './dense-cholesky.ts';
import { sumRange, type LinearRange } from './linear-range.ts';

/**
 * A term in the distances |w_i - from_i|: a limit on their sum (two-way turnover, or gross exposure from zeros), linear
 * costs of purchases and sales, or both. Costs are shares of value per unit of weight; purchase + sale is not below 0.
 */
export type AbsoluteTerm = {
  from: Float64Array;
  max?: number;
  purchase?: Float64Array;
  sale?: Float64Array;
};

/** The constraints of weights. `budget` is their sum; `rows` are groups and other linear constraints. */
export type PortfolioConstraints = {
  lower: Float64Array;
  upper: Float64Array;
  budget: number;
  rows?: readonly LinearRange[];
  absolutes?: readonly AbsoluteTerm[];
};

/** A strictly convex quadratic form over the weights and the distances, as `portfolioPolyhedron` describes it. */
export type LiftedForm = { matrix: Float64Array; factor: Float64Array; shift: Float64Array };

/**
 * The constraints as bounds and rows over the weights and one more variable u_i for each distance that the bounds do not
 * make linear. `rows` are the budget, the rows of the constraints, two for each u_i, and one for each limit.
 *
 * `factor` is the Cholesky factor of the covariance matrix. `lift` computes the quadratic form of all variables once;
 * its `shift` is subtracted from the linear part of an objective. `costs` and `costConstant` give the costs of purchases
 * and sales.
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
  /** The place of the limit of each absolute term among the rows; -1 without a limit. */
  limits: readonly number[];
  /** The bends of the only absolute term, if there is one and it needs variables u_i. */
  bends: Bends | undefined;
  /** The number of rows before those of the absolute terms. */
  plainRows: number;
};

export type PolyhedronVerdict =
  | { ok: true; polyhedron: PortfolioPolyhedron }
  | { ok: false; reason: 'not_identifiable'; at: number; pivot: number };

/**
 * Prepares a covariance matrix and constraints for any number of quadratic programmes.
 *
 * The distances stay exact: with u_i >= |w_i - from_i|, the term r (u_i^2 - (w_i - from_i)^2) / 2 is added to the
 * objective. It is never below 0, and 0 where u_i is the distance, so the minimum does not change; and with r at most
 * half of 1 / trace S^-1, which is below the smallest eigenvalue of S, the objective is strictly convex in w and u.
 *
 * Shapes: `covariance` is n-by-n, row-major. Refuses a matrix with a pivot below 1e-12 of its diagonal.
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
    bends: bends.length > 0 ? bendsOf(constraints, assets) : undefined,
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

function bendsOf({ absolutes = [] }: PortfolioConstraints, assets: number): Bends | undefined {
  const [term] = absolutes;
  if (!term || absolutes.length > 1) return undefined;
  const { from, purchase, sale, max = Infinity } = term;
  const none = new Float64Array(assets);
  return { from, purchase: purchase ?? none, sale: sale ?? none, max };
}

type Bend = { asset: number; from: number; at: number };

/**
 * Gives a variable to each distance whose bend is inside the bounds; the others are linear. The rows are two for each of
 * those variables, then one for each limit.
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

/** Returns the costs of a portfolio, as a share of value. */
export function costOf({ costs, costConstant }: PortfolioPolyhedron, point: Float64Array): number {
  let total = costConstant;
  for (let j = 0; j < costs.length; j += 1) total += costs[j]! * point[j]!;
  return total;
}
