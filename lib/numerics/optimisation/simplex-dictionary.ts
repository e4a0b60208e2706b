import type { LinearRange } from './linear-range.ts';

/**
 * Number of exchanges after which the dictionary is rebuilt from the programme, because rounding errors
 * accumulate in its rows.
 */
const EXCHANGES_MAX = 400;

export type SimplexDictionary = ReturnType<typeof simplexDictionary>;

/**
 * Creates the dictionary of a linear programme: each basic variable, and the objective, as a linear function
 * of the nonbasic variables. A row of the programme is also a variable, whose value is a'x. It is added as a
 * basic variable. The dictionary therefore has no right-hand sides, only bounds of variables. Variables 0 to
 * n - 1 are the variables of the programme, and variable n + k is row k.
 *
 * `rows[i]` holds the coefficients of the basic variable `basic[i]`, in the order of `nonbasic`. `costs`
 * holds the coefficients of the objective. `squares[i]` is the squared length of `rows[i]`.
 * Source: Chvátal, "Linear Programming" (1983), chapters 2 and 8.
 */
export function simplexDictionary(objective: Float64Array) {
  const size = objective.length;
  const ranges: LinearRange[] = [];
  const rows: Float64Array[] = [];
  const basic: number[] = [];
  const squares: number[] = [];
  const nonbasic = Int32Array.from({ length: size }, (_, j) => j);
  const costs = objective.slice();
  let exchanges = 0;

  function addRow(range: LinearRange): void {
    basic.push(size + ranges.length);
    ranges.push(range);
    const row = rowOf(range);
    rows.push(row);
    squares.push(squareOf(row));
  }

  /** Expresses a row of the programme as a linear function of the nonbasic variables. */
  function rowOf({ index, value }: LinearRange): Float64Array {
    const row = new Float64Array(size);
    const factor = new Float64Array(size);
    for (let k = 0; k < index.length; k += 1) factor[index[k]!] = value[k]!;
    for (let j = 0; j < size; j += 1) if (nonbasic[j]! < size) row[j] = factor[nonbasic[j]!]!;
    for (let i = 0; i < rows.length; i += 1) {
      if (basic[i]! >= size || factor[basic[i]!] === 0) continue;
      addMultiple(row, rows[i]!, factor[basic[i]!]!);
    }
    return row;
  }

  /** Exchanges the basic variable of row r with the nonbasic variable of column q. */
  function exchange(r: number, q: number): void {
    const leaving = rows[r]!;
    const pivot = leaving[q]!;
    for (let j = 0; j < size; j += 1) leaving[j] = -leaving[j]! / pivot;
    leaving[q] = 1 / pivot;
    for (let i = 0; i < rows.length; i += 1) {
      if (i === r) squares[i] = squareOf(leaving);
      else substitute(rows[i]!, leaving, q, i);
    }
    substitute(costs, leaving, q, -1);
    const entering = nonbasic[q]!;
    nonbasic[q] = basic[r]!;
    basic[r] = entering;
    exchanges += 1;
  }

  function substitute(row: Float64Array, entering: Float64Array, q: number, i: number): void {
    const factor = row[q]!;
    if (factor === 0) return;
    row[q] = 0;
    let square = 0;
    for (let j = 0; j < size; j += 1) {
      const value = row[j]! + factor * entering[j]!;
      row[j] = value;
      square += value * value;
    }
    if (i >= 0) squares[i] = square;
  }

  /**
   * Rebuilds the dictionary from the rows of the programme, with the same basic variables. The largest pivots
   * are used first.
   */
  function rebuild(): void {
    const wanted = new Set(basic.filter((variable) => variable < size));
    for (let j = 0; j < size; j += 1) nonbasic[j] = j;
    costs.set(objective);
    const outside = new Set(basic.filter((variable) => variable >= size));
    basic.length = 0;
    rows.length = 0;
    squares.length = 0;
    const all = ranges.splice(0);
    all.forEach(addRow);
    for (const variable of wanted) {
      let best = -1;
      for (let i = 0; i < rows.length; i += 1) {
        if (basic[i]! < size || outside.has(basic[i]!)) continue;
        if (best < 0 || Math.abs(rows[i]![variable]!) > Math.abs(rows[best]![variable]!)) best = i;
      }
      if (best >= 0 && rows[best]![variable] !== 0) exchange(best, variable);
    }
    exchanges = 0;
  }

  return {
    size,
    ranges,
    rows,
    basic,
    squares,
    nonbasic,
    costs,
    addRow,
    exchange,
    rebuild,
    isWorn: () => exchanges >= EXCHANGES_MAX,
    isFresh: () => exchanges === 0,
  };
}

function addMultiple(row: Float64Array, other: Float64Array, factor: number): void {
  for (let j = 0; j < row.length; j += 1) row[j]! += factor * other[j]!;
}

function squareOf(row: Float64Array): number {
  let square = 0;
  for (let j = 0; j < row.length; j += 1) square += row[j]! * row[j]!;
  return square;
}
