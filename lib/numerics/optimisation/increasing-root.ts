const STEPS_MAX = 100;

/**
 * Returns the argument at which an increasing function reaches 0, from below: the largest argument tried with a value not
 * above 0. `low` has a value not above 0, `high` one above it.
 *
 * Bisection, with the end that stays halved in weight so that a nearly linear function needs a few steps; at most 100.
 * Source: Dowell and Jarratt, "A Modified Regula Falsi Method for Computing the Root of an Equation" (BIT 11, 1971).
 *
 * Example: for x^2 - 2 between 0 and 2 it is sqrt 2, not above.
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
    // Every third step halves the interval, whatever the secant says.
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
