const STEPS_MAX = 100;

/**
 * Returns the argument at which an increasing function reaches 0, approximated from below: the largest
 * argument tried whose value is at most 0. The value at `low` must be at most 0, and the value at `high` must
 * be above 0.
 *
 * Uses the regula falsi, which halves the stored value of an end that does not move, so that a nearly linear
 * function needs few steps. Every third step is a bisection. Ends after at most 100 steps.
 * Source: Dowell and Jarratt, "A Modified Regula Falsi Method for Computing the Root of an Equation" (BIT 11,
 * 1971).
 *
 * Example: for x^2 - 2 between 0 and 2, the result is sqrt 2 or slightly below.
 */
export function increasingRoot(
  valueAt: (argument: number) => number,
  low: { at: number; value: number },
  high: { at: number; value: number },
): number {
  let [from, below] = [low.at, low.value];
  let [to, above] = [high.at, high.value];
  let last = 0;
  for (let step = 0; step < STEPS_MAX && below < 0; step += 1) {
    const halfway = from + (to - from) / 2;
    const secant = from + ((to - from) * -below) / (above - below);
    // Every third step is a bisection, which guarantees convergence.
    const at = step % 3 === 2 || !(secant > from && secant < to) ? halfway : secant;
    if (!(at > from && at < to)) return from;
    const value = valueAt(at);
    if (value <= 0) {
      [from, below] = [at, value];
      if (last < 0) above /= 2;
      last = -1;
    } else {
      [to, above] = [at, value];
      if (last > 0) below /= 2;
      last = 1;
    }
  }
  return from;
}
