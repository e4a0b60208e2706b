import { explainConflict, namedBound, type Conflict, type NamedRange } from './conflict.ts';
import { sumRange } from './linear-range.ts';
import { liftTerms, type PortfolioConstraints } from './portfolio-polyhedron.ts';

/**
 * The names of the constraints, such as their JSON pointers. Constraints with the same name count as one
 * member of a conflict.
 */
export type ConstraintNames = {
  budget: string;
  lower(asset: number): string;
  upper(asset: number): string;
  row(at: number): string;
  absolute(at: number): string;
};

/**
 * Explains why no weights satisfy the constraints of a portfolio, as `explainConflict` does. Returns null if
 * some weights satisfy them. Caps on volatility are not checked, because they are not linear: `cappedProgram`
 * reports the smallest volatility that can be reached.
 *
 * Example: ten weights of at most 0.05 and a sum of 1 conflict. They are satisfied if the bound is 0.1, or if
 * the sum is 0.5.
 */
export function portfolioConflict(
  constraints: PortfolioConstraints,
  names: ConstraintNames,
): Conflict | null {
  const { lower, upper, budget, rows = [], absolutes = [] } = constraints;
  const assets = Array.from({ length: lower.length }, (_, i) => i);
  const lifted = liftTerms({
    ...constraints,
    lower: lower.map(() => -Infinity),
    upper: upper.map(() => Infinity),
  });
  const limited = absolutes.flatMap(({ max }, k) => (max === undefined ? [] : [k]));
  const definitions = lifted.rows.slice(0, lifted.rows.length - limited.length);
  const named: NamedRange[] = [
    { id: names.budget, ...sumRange(assets, { min: budget, max: budget }) },
    ...rows.map((row, k) => ({ id: names.row(k), ...row })),
    ...limited.map((k, at) => ({ id: names.absolute(k), ...lifted.rows[definitions.length + at]! })),
    ...assets.flatMap((i) => [
      ...(lower[i]! > -Infinity ? [namedBound(names.lower(i), i, { min: lower[i]! })] : []),
      ...(upper[i]! < Infinity ? [namedBound(names.upper(i), i, { max: upper[i]! })] : []),
    ]),
  ];
  const start = new Float64Array(lifted.size);
  if (absolutes[0]) start.set(absolutes[0].from);
  return explainConflict({ size: lifted.size, definitions, constraints: named, start });
}
