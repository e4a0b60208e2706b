import { dot } from '../dot-product.ts';
import { valueOf, type LinearRange } from './linear-range.ts';
import { simplexDictionary, type SimplexDictionary } from './simplex-dictionary.ts';

/**
 * Tolerance of a bound, relative to 1 + the size of the bound. A variable that exceeds its bound by less
 * counts as within the bound.
 */
const DISTANCE = 1e-11;
/** Minimum size of a pivot, relative to the largest element of its row. */
const PIVOT_MIN = 1e-9;

/**
 * A linear programme: minimise costs'x subject to lower <= x <= upper and to the constraints `rows` and
 * `lazy`. Few lazy rows are expected to bind, so a lazy row is only added when a solution violates it. Lazy
 * rows are numbered after the rows.
 */
export type LinearProgram = {
  costs: Float64Array;
  lower: Float64Array;
  upper: Float64Array;
  rows: readonly LinearRange[];
  lazy?: readonly LinearRange[];
  /** Initial values of the variables that have no cost. Default: 0, or the bound closest to 0. */
  start?: Float64Array;
};

export type LinearSolution = {
  x: Float64Array;
  objective: number;
  /** The derivatives of the minimum with respect to the binding bounds, as in a quadratic programme. */
  rowMultipliers: Float64Array;
  boundMultipliers: Float64Array;
};

export type LinearVerdict =
  | { ok: true; solution: LinearSolution }
  /**
   * `support` has the indices of the variables and rows whose bounds contradict each other. The index of row k is the
   * number of variables plus k.
   */
  | { ok: false; reason: 'infeasible'; support: readonly number[] }
  | { ok: false; reason: 'step_limit' };

/**
 * Solves a linear programme by the dual simplex method. Returns an optimal vertex; other optima may exist.
 *
 * A variable with a positive cost needs a finite lower bound, and a variable with a negative cost a finite
 * upper bound. Variables without a cost can be unbounded.
 * Errors: `RangeError` on sizes that differ, on NaN, and on a cost without the finite bound.
 *
 * Example: minimising x1 + 2 x2 with x1 + x2 >= 1 and 0 <= x <= 0.75 gives 1.25 at [0.75, 0.25].
 */
export function linearProgram({ rows, lazy = [], ...box }: LinearProgram): LinearVerdict {
  const { costs } = box;
  const simplex = dualSimplex(box);
  for (const row of rows) simplex.addRow(row);
  let waiting = lazy.map((row, at) => ({ row, at }));
  /** The index of each added row among all rows and lazy rows. */
  const places = rows.map((_, k) => k);
  let isRough = lazy.length > 0;
  for (;;) {
    const verdict = simplex.solve({ isRough });
    if (!verdict.ok)
      return verdict.reason === 'infeasible' ? { ...verdict, support: placed(verdict.support) } : verdict;
    const { x, rowMultipliers } = verdict.solution;
    const violated = waiting.filter(({ row }) => distanceFrom(row, x) > DISTANCE);
    if (violated.length === 0 && isRough) {
      isRough = false;
      continue;
    }
    if (violated.length === 0) {
      const multipliers = new Float64Array(rows.length + lazy.length);
      rowMultipliers.forEach((multiplier, k) => (multipliers[places[k]!] = multiplier));
      return { ok: true, solution: { ...verdict.solution, rowMultipliers: multipliers } };
    }
    for (const { row, at } of violated) {
      simplex.addRow(row);
      places.push(rows.length + at);
    }
    const added = new Set(violated);
    waiting = waiting.filter((each) => !added.has(each));
  }

  function placed(support: readonly number[]): number[] {
    return support.map((at) => (at < costs.length ? at : costs.length + places[at - costs.length]!));
  }
}

function distanceFrom(row: LinearRange, x: Float64Array): number {
  const value = valueOf(row, x);
  if (value < row.min) return (row.min - value) / (1 + Math.abs(row.min));
  return value > row.max ? (value - row.max) / (1 + Math.abs(row.max)) : 0;
}

/**
 * Returns a dual simplex solver that keeps its dictionary. Rows can be added after a solution, and the next
 * call of `solve` starts from this solution. The leaving row has the largest violation of its bound relative
 * to its length (dual steepest edge). The entering column has the smallest ratio; on ties, the largest pivot,
 * then the lower index. After many steps without progress, both are chosen by Bland's rule, which guarantees
 * termination.
 *
 * Source: Koberstein, "The Dual Simplex Method, Techniques for a Fast and Stable Implementation" (Paderborn
 * 2005), chapters 3 and 6; Bland, "New Finite Pivoting Rules for the Simplex Method" (Mathematics of
 * Operations Research 2, 1977).
 */
export function dualSimplex({ costs, lower, upper, start }: Omit<LinearProgram, 'rows' | 'lazy'>) {
  const size = costs.length;
  assertProgram({ costs, lower, upper });
  const dictionary = simplexDictionary(costs);
  const low = Array.from(lower);
  const high = Array.from(upper);
  /** The value of each nonbasic variable. */
  const kept = costs.map((cost, j) => {
    const [min, max] = [lower[j]!, upper[j]!];
    return cost > 0 ? min : cost < 0 ? max : Math.min(Math.max(start?.[j] ?? 0, min), max);
  });

  function addRow(range: LinearRange): void {
    if (Number.isNaN(range.min) || Number.isNaN(range.max) || range.value.some(Number.isNaN))
      throw new RangeError(`row ${dictionary.ranges.length} has NaN`);
    dictionary.addRow(range);
    low.push(range.min);
    high.push(range.max);
  }

  /**
   * Solves the programme. With `isRough`, the solution can contain the rounding errors of up to 400
   * exchanges. Otherwise, the dictionary is rebuilt before the solution is returned.
   */
  function solve({ isRough = false } = {}): LinearVerdict {
    const crossed = low.findIndex((value, at) => value > high[at]!);
    if (crossed >= 0) return { ok: false, reason: 'infeasible', support: [crossed] };
    const { rows } = dictionary;
    const stepsMax = 200 * (size + rows.length + 10);
    const patience = 10 * (size + rows.length) + 100;
    let idle = 0;
    for (let step = 0; step < stepsMax; step += 1) {
      if (dictionary.isWorn()) rebuild();
      const byIndex = idle > patience;
      const row = leavingRow(byIndex);
      if (row === undefined) {
        if (isRough || dictionary.isFresh()) return { ok: true, solution: solutionOf() };
        rebuild();
        continue;
      }
      const column = enteringColumn(row, byIndex);
      if (column === undefined) {
        if (dictionary.isFresh()) return { ok: false, reason: 'infeasible', support: supportOf(row.at) };
        rebuild();
        continue;
      }
      idle = dictionary.costs[column] === 0 ? idle + 1 : 0;
      const leaving = dictionary.basic[row.at]!;
      dictionary.exchange(row.at, column);
      kept[column] = row.isBelow ? low[leaving]! : high[leaving]!;
    }
    return { ok: false, reason: 'step_limit' };
  }

  /**
   * Rebuilds the dictionary. Its columns can then have another order, but each nonbasic variable keeps its
   * value.
   */
  function rebuild(): void {
    const sides = new Map<number, number>();
    dictionary.nonbasic.forEach((variable, j) => sides.set(variable, kept[j]!));
    dictionary.rebuild();
    dictionary.nonbasic.forEach((variable, j) => {
      kept[j] = sides.get(variable) ?? Math.min(Math.max(0, low[variable]!), high[variable]!);
    });
  }

  type Leaving = { at: number; isBelow: boolean };

  function leavingRow(byIndex: boolean): Leaving | undefined {
    let found: Leaving | undefined;
    let best = 0;
    for (let i = 0; i < dictionary.rows.length; i += 1) {
      const variable = dictionary.basic[i]!;
      const value = dot(dictionary.rows[i]!, kept);
      const [min, max] = [low[variable]!, high[variable]!];
      const below = min - value;
      const above = value - max;
      const isBelow = below > DISTANCE * (1 + Math.abs(min));
      if (!isBelow && !(above > DISTANCE * (1 + Math.abs(max)))) continue;
      const distance = isBelow ? below : above;
      const weight = byIndex
        ? size + dictionary.ranges.length - variable
        : (distance * distance) / (1 + dictionary.squares[i]!);
      if (weight > best || (weight === best && found && variable < dictionary.basic[found.at]!)) {
        best = weight;
        found = { at: i, isBelow };
      }
    }
    return found;
  }

  function enteringColumn({ at, isBelow }: Leaving, byIndex: boolean): number | undefined {
    const row = dictionary.rows[at]!;
    const { costs: reduced, nonbasic } = dictionary;
    let largest = 0;
    for (let j = 0; j < size; j += 1) largest = Math.max(largest, Math.abs(row[j]!));
    const pivotMin = Math.max(PIVOT_MIN * largest, 1e-300);
    let found: number | undefined;
    let smallest = Infinity;
    for (let j = 0; j < size; j += 1) {
      const pivot = isBelow ? row[j]! : -row[j]!;
      if (!(Math.abs(pivot) > pivotMin)) continue;
      const variable = nonbasic[j]!;
      const [min, max] = [low[variable]!, high[variable]!];
      if (min === max) continue;
      // A variable at its lower bound can only increase, and a variable at its upper bound can only decrease.
      const canMove = pivot > 0 ? kept[j] !== max : kept[j] !== min;
      if (!canMove) continue;
      const ratio = Math.abs(reduced[j]! / pivot);
      if (ratio > smallest) continue;
      const isBetter =
        ratio < smallest ||
        (byIndex
          ? variable < nonbasic[found!]!
          : Math.abs(pivot) > Math.abs(row[found!]!) ||
            (Math.abs(pivot) === Math.abs(row[found!]!) && variable < nonbasic[found!]!));
      if (isBetter) [found, smallest] = [j, ratio];
    }
    return found;
  }

  function supportOf(row: number): number[] {
    const support = [dictionary.basic[row]!];
    const coefficients = dictionary.rows[row]!;
    const largest = coefficients.reduce((most, each) => Math.max(most, Math.abs(each)), 0);
    for (let j = 0; j < size; j += 1)
      if (Math.abs(coefficients[j]!) > PIVOT_MIN * largest) support.push(dictionary.nonbasic[j]!);
    return support;
  }

  function solutionOf(): LinearSolution {
    return readSolution(dictionary, { costs, kept });
  }

  return { addRow, solve };
}

function readSolution(
  { size, ranges, rows, basic, nonbasic, costs: reduced }: SimplexDictionary,
  { costs, kept }: { costs: Float64Array; kept: Float64Array },
): LinearSolution {
  const x = new Float64Array(size);
  const rowMultipliers = new Float64Array(ranges.length);
  const boundMultipliers = new Float64Array(size);
  for (let j = 0; j < size; j += 1) {
    const variable = nonbasic[j]!;
    if (variable >= size) rowMultipliers[variable - size] = reduced[j]!;
    else [x[variable], boundMultipliers[variable]] = [kept[j]!, reduced[j]!];
  }
  for (let i = 0; i < rows.length; i += 1) if (basic[i]! < size) x[basic[i]!] = dot(rows[i]!, kept);
  return { x, objective: dot(costs, x), rowMultipliers, boundMultipliers };
}

function assertProgram({ costs, lower, upper }: Omit<LinearProgram, 'rows' | 'lazy'>): void {
  if (lower.length !== costs.length || upper.length !== costs.length)
    throw new RangeError('the sizes of the programme differ');
  costs.forEach((cost, j) => {
    const side = cost > 0 ? lower[j]! : cost < 0 ? upper[j]! : 0;
    if (Number.isNaN(lower[j]! - upper[j]!) || !(Math.abs(side) < Infinity) || Number.isNaN(cost))
      throw new RangeError(`variable ${j} has NaN, or a cost without a bound`);
  });
}
