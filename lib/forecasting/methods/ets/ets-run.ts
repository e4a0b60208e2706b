import type { EtsForm } from './ets-form.ts';

/**
 * The recursion of a model over a series, with working memory for the adjoint recursion. All recursions use
 * natural parameters: alpha, beta, gamma (each multiplies an error as in Hyndman et al. 2008, table 2.1),
 * phi, and the states before the first value. `seasons[t]` is the seasonal state that forecasts value t; the
 * first `period` elements are the initial states.
 */
export type EtsRun = {
  y: Float64Array;
  n: number;
  period: number;
  alpha: number;
  beta: number;
  gamma: number;
  phi: number;
  level: number;
  slope: number;
  seasons: Float64Array;
  /**
   * One-step errors y - f. The next members are the slopes with which the forecasts were made, and level plus slope
   * (only for multiplicative seasons).
   */
  errors: Float64Array;
  slopes: Float64Array;
  trends: Float64Array;
  /**
   * The level after the last value. The next member is the slope. The last seasonal states are at the end of `seasons`.
   */
  lastLevel: number;
  lastSlope: number;
  /**
   * The derivatives of the objective with respect to each error, to each forecast at a fixed error, and to the
   * parameters. The adjoint recursion fills them.
   */
  byError: Float64Array;
  byForecast: Float64Array;
  bySeasons: Float64Array;
  byAlpha: number;
  byBeta: number;
  byGamma: number;
  byPhi: number;
  byLevel: number;
  bySlope: number;
};

export function etsRun(y: Float64Array, { season }: EtsForm, period: number): EtsRun {
  const n = y.length;
  const isSeasonal = season !== 'N';
  const m = isSeasonal ? period : 0;
  const room = (length: number): Float64Array => new Float64Array(length);
  return {
    y,
    n,
    period: m,
    alpha: 0,
    beta: 0,
    gamma: 0,
    phi: 1,
    level: 0,
    slope: 0,
    seasons: room(isSeasonal ? n + m : 0),
    errors: room(n),
    slopes: room(n),
    trends: room(season === 'M' ? n : 0),
    lastLevel: 0,
    lastSlope: 0,
    byError: room(n),
    byForecast: room(n),
    bySeasons: room(isSeasonal ? n + m : 0),
    byAlpha: 0,
    byBeta: 0,
    byGamma: 0,
    byPhi: 0,
    byLevel: 0,
    bySlope: 0,
  };
}
