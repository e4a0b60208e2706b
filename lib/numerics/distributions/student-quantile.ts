import { normalQuantile } from '../normal-quantile.ts';
import { studentTail } from './student-t.ts';

const STEPS = 200;

/**
 * Returns the value that a Student t variable with `degrees` degrees of freedom exceeds with the probability
 * `tail`.
 *
 * Range: tail in (0, 1), degrees above 0.
 * Errors: `RangeError` outside this range. Computed by bisection between enclosing bounds, to the last bit.
 * Source: the definition, by `studentTail`.
 *
 * Example: `studentQuantile(0.025, 10)` is 2.2281388519862735.
 */
export function studentQuantile(tail: number, degrees: number): number {
  if (!(tail > 0 && tail < 1)) throw new RangeError(`not a tail probability: ${tail}`);
  if (tail > 0.5) return -studentQuantile(1 - tail, degrees);
  let low = 0;
  let high = Math.max(1, -normalQuantile(tail));
  while (studentTail(high, degrees) > tail) high *= 2;
  for (let step = 0; step < STEPS; step += 1) {
    const middle = (low + high) / 2;
    if (middle === low || middle === high) break;
    if (studentTail(middle, degrees) > tail) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
