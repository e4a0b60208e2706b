import type { ResolvedStrategy } from './strategy.schema.ts';

type Stop = NonNullable<ResolvedStrategy['overlay']['stop']>;

/**
 * Tolerance of the drawdown, as a share of the value. Rounding errors depend on the size of the portfolio, but are
 * below this tolerance.
 */
const ROUNDING = 1e-12;

/**
 * The state of a stop at the close of a session. `stop`: sell everything. `out`: hold nothing during the
 * pause. `again`: the pause is over, so the strategy decides in this session. `in`: follow the schedule.
 */
export type StopState = 'stop' | 'out' | 'again' | 'in';

/**
 * Returns a function that follows the curve of a portfolio from session to session. A fall of the value from its
 * highest value by `drawdown` or more is a stop. After `stay_out` sessions the strategy decides again, and the highest
 * value is measured from that session on.
 *
 * The result depends only on the curve: for a session that is not after the previous call, the state is computed again
 * from the first session on.
 */
export function drawdownStop({ drawdown, stay_out: stayOut }: Stop) {
  let last = -1;
  let highest = 0;
  let againAt = -1;
  const follow = (session: number, value: number): StopState => {
    if (session < againAt) return 'out';
    if (session === againAt) {
      highest = value;
      return 'again';
    }
    highest = Math.max(highest, value);
    if (value > highest * (1 - drawdown) * (1 + ROUNDING)) return 'in';
    againAt = session + stayOut;
    return 'stop';
  };
  return (session: number, curve: Float64Array): StopState => {
    if (session <= last) [last, highest, againAt] = [-1, 0, -1];
    let state: StopState = 'in';
    for (let t = last + 1; t <= session; t += 1) state = follow(t, curve[t]!);
    last = session;
    return state;
  };
}
