import type { Forecast } from '../method.ts';
import type { CesEstimate } from './estimate-ces.ts';
import { cesRun, passCes, type CesRun } from './ces-run.ts';

/**
 * Returns the forecasts of a fitted model and their standard errors sigma sqrt(1 + sum_{j<h} r_j^2), where
 * r_j is the effect of an error of 1 after j periods. The model is linear, so the forecasts and the effects
 * follow from its recursion with errors of 0.
 */
export function forecastCes({ run, squares, size }: CesEstimate, horizon: number): Forecast {
  const freedom = run.n - size;
  const variance = squares / (freedom > 0 ? freedom : run.n);
  const point = ahead(run, horizon, {
    level: run.lastLevel,
    hidden: run.lastHidden,
    seasons: run.seasons.subarray(run.n),
    hiddenSeasons: run.hiddenSeasons.subarray(run.n),
  });
  const response = ahead(run, horizon, afterUnitError(run));
  const standardErrors = new Float64Array(horizon);
  let sum = 1;
  for (let h = 0; h < horizon; h += 1) {
    standardErrors[h] = Math.sqrt(variance * sum);
    sum += response[h]! * response[h]!;
  }
  return { point, standardErrors };
}

type States = { level: number; hidden: number; seasons: Float64Array; hiddenSeasons: Float64Array };

/** Returns the states after one error of 1, starting from zero states. */
function afterUnitError(run: CesRun): States {
  const one = {
    ...cesRun(Float64Array.of(1), run.kind, run.period),
    a0: run.a0,
    a1: run.a1,
    b0: run.b0,
    b1: run.b1,
  };
  passCes(one);
  return {
    level: one.lastLevel,
    hidden: one.lastHidden,
    seasons: one.seasons.subarray(1),
    hiddenSeasons: one.hiddenSeasons.subarray(1),
  };
}

function ahead(run: CesRun, horizon: number, from: States): Float64Array {
  const { kind, period, a0, a1, b0, b1 } = run;
  const seasons = from.seasons.slice();
  const hiddenSeasons = from.hiddenSeasons.slice();
  let { level, hidden } = from;
  const values = new Float64Array(horizon);
  for (let h = 0; h < horizon; h += 1) {
    const place = period === 0 ? 0 : h % period;
    const season = period === 0 ? 0 : seasons[place]!;
    values[h] = (kind === 'simple' ? 0 : level) + season;
    [level, hidden] = [level - (1 - a1) * hidden, level + (1 - a0) * hidden];
    if (kind === 'none' || kind === 'partial') continue;
    const behind = hiddenSeasons[place]!;
    seasons[place] = season - (1 - b1) * behind;
    hiddenSeasons[place] = season + (1 - b0) * behind;
  }
  return values;
}
