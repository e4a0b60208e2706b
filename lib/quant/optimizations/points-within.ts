import type { Condition } from '#lib/data/feature-expression/condition.ts';
import type { Point, Space } from '#lib/numerics/search/space.ts';
import { conditionPanel } from '../strategies/condition-panel.ts';

/**
 * Returns, for each point, whether it meets a condition. A point does not meet the condition if it has a word where
 * the condition needs a number.
 */
export function pointsWithin(condition: Condition | null, space: Space, points: readonly Point[]): boolean[] {
  if (condition === null) return points.map(() => true);
  const holds = conditionPanel(condition, {
    sessions: 1,
    symbols: points.length,
    observed: () => Int32Array.of(0),
    column: (name, point) => {
      const value = points[point]![space.findIndex((axis) => axis.name === name)];
      return Float64Array.of(typeof value === 'number' ? value : Number.NaN);
    },
    members: () => new Uint8Array(points.length).fill(1),
  });
  return Array.from(holds, (value) => value === 1);
}
