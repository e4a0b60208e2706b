import type { EtsForm } from './ets-form.ts';
import type { EtsRun } from './ets-run.ts';

/** The error variance of a model and, for each period ahead, the level plus slope and the point forecast. */
type Ahead = { variance: number; trend: Float64Array; point: Float64Array };

/**
 * Returns the variances v_h of the forecasts f_h, for h = 1, 2, ... periods ahead. c_j is the effect of an error on the
 * value j periods later: c_j = alpha + beta (phi + ... + phi^j), plus gamma if j is a multiple of the season length. The
 * sums are over j from 1 to h - 1.
 *
 * Additive error: v_h = sigma^2 (1 + sum c_j^2). Multiplicative error: v_h = (1 + sigma^2) theta_h - f_h^2, with
 * theta_h = f_h^2 + sigma^2 sum c_j^2 theta_{h-j}. With a multiplicative season and an additive error, each c_j is
 * scaled to the seasonal factor of period h (linearised at the point forecasts).
 *
 * Source: Hyndman et al. (2005), classes 1 and 2.
 */
export function varianceOfLinear(
  run: EtsRun,
  form: EtsForm,
  { variance, trend, point }: Ahead,
): Float64Array {
  const horizon = point.length;
  const { level, season } = responses(run, horizon);
  const variances = new Float64Array(horizon);
  const theta = new Float64Array(horizon);
  for (let h = 0; h < horizon; h += 1) {
    let sum = 0;
    for (let j = 1; j <= h; j += 1) {
      let c = level[j]! + season[j]!;
      if (form.season === 'M') {
        const [here, there] = [point[h]! / trend[h]!, point[h - j]! / trend[h - j]!];
        c = (level[j]! * here) / there + (season[j]! * trend[h]!) / trend[h - j]!;
      }
      sum += c * c * (form.error === 'A' ? 1 : theta[h - j]!);
    }
    const square = point[h]! * point[h]!;
    theta[h] = square + variance * sum;
    variances[h] = form.error === 'A' ? variance * (1 + sum) : (1 + variance) * theta[h]! - square;
  }
  return variances;
}

/** Returns the effect of an error on level and on season j periods later. */
function responses(run: EtsRun, horizon: number): { level: Float64Array; season: Float64Array } {
  const level = new Float64Array(horizon + 1);
  const season = new Float64Array(horizon + 1);
  let [power, sum] = [1, 0];
  for (let j = 1; j <= horizon; j += 1) {
    power *= run.phi;
    sum += power;
    level[j] = run.alpha + run.beta * sum;
    season[j] = run.period > 0 && j % run.period === 0 ? run.gamma : 0;
  }
  return { level, season };
}
