/**
 * Returns the Omega ratio with a threshold of 0: the sum of the gains divided by the sum of the losses.
 *
 * `returns`: n simple returns as fractions. Returns null if no return is below 0.
 * Source: Keating and Shadwick, "A Universal Performance Measure" (2002).
 *
 * Example: for [0.03, -0.01], the result is 3.
 */
export function omegaRatio(returns: ArrayLike<number>): number | null {
  const { gains, losses } = gainsAndLosses(returns);
  return losses === 0 ? null : gains / losses;
}

/**
 * Returns the gain-to-pain ratio: the sum of all returns divided by the sum of the losses. Returns null if no
 * return is below 0.
 * Source: Schwager, "Hedge Fund Market Wizards" (2012), appendix A.
 *
 * Example: for [0.03, -0.01], the result is 2.
 */
export function gainToPain(returns: ArrayLike<number>): number | null {
  const { total, losses } = gainsAndLosses(returns);
  return losses === 0 ? null : total / losses;
}

function gainsAndLosses(returns: ArrayLike<number>) {
  let [total, gains, losses] = [0, 0, 0];
  for (let t = 0; t < returns.length; t += 1) {
    const each = returns[t]!;
    total += each;
    if (each > 0) gains += each;
    else losses -= each;
  }
  return { total, gains, losses };
}
