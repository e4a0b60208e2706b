import { shareOfValue } from './axis-values.ts';
import type { Point, SearchValue, Space } from './space.ts';

export type ParameterStability = {
  /**
   * Of the folds after the first, the share whose chosen point differs from that of the previous fold. Null with one
   * fold.
   */
  changed: number | null;
  /** Number of different points. */
  distinct: number;
  axes: AxisStability[];
};

export type AxisStability = {
  name: string;
  /**
   * The value chosen most often (the first of equally frequent values), and the share of the folds in which
   * it was chosen.
   */
  value: SearchValue;
  share: number;
  /** Mean change from fold to fold, as a share of the range. Null with one fold. */
  meanMove: number | null;
};

/**
 * Describes how much the chosen parameters change over the folds of a walk-forward evaluation.
 *
 * `chosen`: the point of each fold, in the order of the folds. Throws a `RangeError` without folds.
 *
 * Example: for the choices [5], [5], [10], `changed` is 0.5: the choice changed in one of the two folds
 * after the first.
 */
export function parameterStability(space: Space, chosen: readonly Point[]): ParameterStability {
  if (chosen.length === 0) throw new RangeError('the stability of parameters needs at least one fold');
  const later = chosen.slice(1);
  const isChanged = (point: Point, fold: number) => !isSame(point, chosen[fold]!);
  return {
    changed: later.length === 0 ? null : later.filter(isChanged).length / later.length,
    distinct: chosen.filter((point, fold) => chosen.findIndex((each) => isSame(each, point)) === fold).length,
    axes: space.map((axis, at) => {
      const values = chosen.map((point) => point[at]!);
      const shares = values.map((value) => shareOfValue(axis, value));
      let moves = 0;
      for (let fold = 1; fold < shares.length; fold += 1)
        moves += Math.abs(shares[fold]! - shares[fold - 1]!);
      const meanMove = later.length === 0 ? null : moves / later.length;
      return { name: axis.name, ...mostFrequent(values), meanMove };
    }),
  };
}

const isSame = (one: Point, other: Point): boolean => one.every((value, at) => value === other[at]);

function mostFrequent(values: readonly SearchValue[]): { value: SearchValue; share: number } {
  const counts = new Map<SearchValue, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  let [value, most] = [values[0]!, 0];
  for (const [each, count] of counts) if (count > most) [value, most] = [each, count];
  return { value, share: most / values.length };
}
