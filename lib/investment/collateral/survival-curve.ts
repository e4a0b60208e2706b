import { exp } from '#lib/numerics/exponential.ts';

/**
 * A credit curve: the survival of a legal entity, given as hazard rates or as spreads. `timesYears` are above 0 and
 * ascend.
 *
 * `hazard`: yearly rates, piecewise constant. The i-th rate applies from the previous time (0 for the first rate) to
 * the i-th time; the last rate also applies after the last time. `spread`: yearly spreads to each time as fractions,
 * linear between the times, constant before the first and after the last time, with the loss given default that the
 * market assumes.
 */
export type CreditCurve =
  | { kind: 'hazard'; timesYears: ArrayLike<number>; hazards: ArrayLike<number> }
  | { kind: 'spread'; timesYears: ArrayLike<number>; spreads: ArrayLike<number>; lossGivenDefault: number };

/**
 * Returns the probabilities of surviving to each of the ascending `times` (years, 0 or above).
 *
 * From hazards: exp(-sum h dt) over the pieces up to the time, summed in their order. From spreads: the credit triangle
 * S(t) = exp(-s(t) t / LGD), an approximation of a bootstrap. The approximation is most accurate for flat curves. If
 * spreads fall so fast that survival rises, this function does not refuse the curve. Throws a `RangeError` on a curve
 * without a time. Source: O'Kane, "Modelling Single-name and Multi-name Credit Derivatives" (2008), the credit
 * triangle.
 *
 * Example: a flat hazard of 0.02 gives [1, 0.9801986733067553] for [0, 1].
 */
export function survivalProbabilities(curve: CreditCurve, times: ArrayLike<number>): Float64Array {
  if (curve.timesYears.length === 0) throw new RangeError('a curve needs at least one time');
  const integrated = curve.kind === 'hazard' ? hazardIntegral : spreadIntegral;
  return Float64Array.from(times, (time) => exp(-integrated(curve as never, time)));
}

function hazardIntegral(
  { timesYears, hazards }: Extract<CreditCurve, { kind: 'hazard' }>,
  time: number,
): number {
  let sum = 0;
  let start = 0;
  const last = timesYears.length - 1;
  for (let i = 0; i <= last && start < time; i += 1) {
    const end = i === last ? time : Math.min(timesYears[i]!, time);
    sum += hazards[i]! * (end - start);
    start = end;
  }
  return sum;
}

function spreadIntegral(
  { timesYears, spreads, lossGivenDefault }: Extract<CreditCurve, { kind: 'spread' }>,
  time: number,
): number {
  return (spreadAt(timesYears, spreads, time) / lossGivenDefault) * time;
}

function spreadAt(times: ArrayLike<number>, spreads: ArrayLike<number>, time: number): number {
  let next = 0;
  while (next < times.length && times[next]! <= time) next += 1;
  if (next === 0) return spreads[0]!;
  if (next === times.length) return spreads[next - 1]!;
  const share = (time - times[next - 1]!) / (times[next]! - times[next - 1]!);
  return spreads[next - 1]! + share * (spreads[next]! - spreads[next - 1]!);
}
