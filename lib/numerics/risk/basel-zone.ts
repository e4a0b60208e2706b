import { exp } from '../exponential.ts';
import { ln } from '../natural-log.ts';

export type BaselZone = 'green' | 'yellow' | 'red';

/**
 * Returns the zone of the Basel traffic light for a number of exceptions of a value at risk. Let q be the
 * probability that a correct value at risk has at most this many exceptions. The zone is green if q is below
 * 95 %, yellow if q is below 99.99 %, and red otherwise.
 *
 * `exceptions` of `count` periods, integers; `level`: confidence level of the value at risk. For 250 days at
 * 99 %, the zones are the published zones: green up to 4, yellow up to 9, red from 10. Throws a `RangeError`
 * if `exceptions` is above `count`, and on other numbers out of range.
 * Source: Basel Committee, "Supervisory Framework for the Use of Backtesting" (1996), table 2.
 *
 * Example: `baselZone(5, 250, 0.99)` is `yellow`.
 */
export function baselZone(exceptions: number, count: number, level: number): BaselZone {
  if (!(level > 0 && level < 1 && count >= 1 && exceptions >= 0 && exceptions <= count))
    throw new RangeError(`${exceptions} exceptions in ${count} periods have no zone at level ${level}`);
  const p = 1 - level;
  let term = exp(count * ln(level));
  let total = term;
  for (let k = 1; k <= exceptions; k += 1) {
    term *= ((count - k + 1) / k) * (p / level);
    total += term;
  }
  return total < 0.95 ? 'green' : total < 0.9999 ? 'yellow' : 'red';
}
