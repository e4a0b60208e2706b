import type { ActiveSet } from './active-set.ts';
import type { BentSet } from './bent-active-set.ts';
import type { Bends } from './bends.ts';

/** The constraints that bind at a solution. Another programme may start from them. */
export type StartSet = ActiveSet | BentSet;

/** Returns the start if it has the given numbers of variables and rows and no bends; undefined otherwise. */
export function fittingSet(start: StartSet | undefined, size: number, rows: number): ActiveSet | undefined {
  return start && 'bounds' in start && start.bounds.length === size && start.rows.length === rows
    ? start
    : undefined;
}

/**
 * Returns the start if its sides fit these bends and it has the given number of rows plus the limit as the last row;
 * undefined otherwise.
 */
export function fittingBends(
  start: StartSet | undefined,
  { points }: Bends,
  rows: number,
): BentSet | undefined {
  if (!start || !('sides' in start) || start.rows.length !== rows + 1) return undefined;
  const { sides } = start;
  return sides.length === points.length && points.every((own, i) => sides[i]! <= 2 * own.length)
    ? start
    : undefined;
}
