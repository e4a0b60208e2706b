import type { Forecast } from '../method.ts';
import type { EtsRun } from './ets-run.ts';

/**
 * Maximum relative error variance for which moments are computed. Errors as large as the forecasts are not normal, and
 * moments that assume normal errors would grow without bound.
 */
const VARIANCE_MAX = 1;

/**
 * Returns means and standard errors of forecasts with multiplicative error and season, from the first two
 * moments of (level, slope) times the season of the target. The seasonal state of the target changes only in
 * the periods that are a whole number of seasons before the target. With e normal of variance v, x' = (F + G
 * e) x and season' = season (1 + gamma e), so E[x] and E[x x'] pass through each period in closed form (E e^2
 * = v, E e^4 = 3 v^2). A standard error beyond the range of a double is infinite.
 *
 * Here level' = (l + phi b)(1 + alpha e), slope' = phi b + beta (l + phi b) e. The results equal the matrices
 * M_h and V_h of Hyndman et al. (2005), class 3, for one position of the season at a time.
 */
export function forecastByMoments(run: EtsRun, variance: number, horizon: number): Forecast {
  const v = Math.min(VARIANCE_MAX, variance);
  const point = new Float64Array(horizon);
  const standardErrors = new Float64Array(horizon);
  for (let h = 1; h <= horizon; h += 1) {
    const { mean, square } = momentsAhead(run, v, h);
    const season = run.seasons[run.n + ((h - 1) % run.period)]!;
    point[h - 1] = season * mean;
    const spread = square < Infinity ? (1 + v) * square - mean * mean : Infinity;
    standardErrors[h - 1] = season * Math.sqrt(Math.max(0, spread));
  }
  return { point, standardErrors };
}

/**
 * Returns the mean and mean square of level plus slope, multiplied by the relative change of the target's
 * seasonal state, `h` periods ahead.
 */
function momentsAhead(
  { alpha, beta, gamma, phi, period, lastLevel, lastSlope }: EtsRun,
  v: number,
  h: number,
) {
  let [l, b] = [lastLevel, lastSlope];
  let [ll, lb, bb] = [l * l, l * b, b * b];
  for (let t = 1; t < h; t += 1) {
    const k = (h - t) % period === 0 ? gamma : 0;
    const q = l + phi * b;
    const qq = ll + 2 * phi * lb + phi * phi * bb;
    const qd = phi * lb + phi * phi * bb;
    const dd = phi * phi * bb;
    // The next level is q (1 + alpha e) and the next slope is d + beta q e, where d = phi b. Both are multiplied by 1 +
    // k e.
    l = q * (1 + k * alpha * v);
    b = phi * b + k * beta * q * v;
    const once = 1 + k * k * v;
    const twice = 2 * k * v;
    const both = v + 3 * k * k * v * v;
    ll = qq * (once + 2 * alpha * twice + alpha * alpha * both);
    lb = qd * once + (alpha * qd + beta * qq) * twice + alpha * beta * qq * both;
    bb = dd * once + 2 * beta * qd * twice + beta * beta * qq * both;
  }
  return { mean: l + phi * b, square: ll + 2 * phi * lb + phi * phi * bb };
}
