/**
 * A linear constraint with two bounds: min <= sum of value[k] x[index[k]] <= max. Equal bounds make an
 * equation, and an infinite bound has no effect. Indices ascend.
 */
export type LinearRange = { index: Int32Array; value: Float64Array; min: number; max: number };

/** Returns a constraint from a dense row. Zero coefficients are left out. */
export function linearRange(row: ArrayLike<number>, { min = -Infinity, max = Infinity }): LinearRange {
  const index: number[] = [];
  const value: number[] = [];
  for (let at = 0; at < row.length; at += 1) {
    if (row[at] === 0) continue;
    index.push(at);
    value.push(row[at]!);
  }
  return { index: Int32Array.from(index), value: Float64Array.from(value), min, max };
}

/** Returns a constraint on the sum of the variables with the given indices, in ascending order. */
export function sumRange(members: ArrayLike<number>, { min = -Infinity, max = Infinity }): LinearRange {
  return { index: Int32Array.from(members), value: new Float64Array(members.length).fill(1), min, max };
}

/** Returns the value a'x of the linear form at a point. */
export function valueOf({ index, value }: LinearRange, x: Float64Array): number {
  let total = 0;
  for (let k = 0; k < index.length; k += 1) total += value[k]! * x[index[k]!]!;
  return total;
}

/** Returns the Euclidean length of the coefficients. */
export function lengthOf({ value }: LinearRange): number {
  let squares = 0;
  for (let k = 0; k < value.length; k += 1) squares += value[k]! * value[k]!;
  return Math.sqrt(squares);
}
