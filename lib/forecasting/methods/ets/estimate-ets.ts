import { minimizeWithin } from '../bounded-bfgs.ts';
import { boundsOf, coordinatesOf, gradientOf, setParameters, type Coordinates } from './coordinates.ts';
import { etsRun, type EtsRun } from './ets-run.ts';
import type { EtsForm } from './ets-form.ts';
import { isForecastable } from './forecastable.ts';
import { initialStates } from './initial-states.ts';
import { propagateGradient, minusTwoLogLikelihood, sumOfSquares } from './likelihood.ts';

/**
 * A fitted model. `run` holds its parameters and the results of its recursion over the series. `objective` is minus
 * twice the log-likelihood.
 */
export type EtsEstimate = { form: EtsForm; run: EtsRun; objective: number };

const ALPHAS = [0.02, 0.1, 0.3, 0.6, 0.9];
const TREND_SHARE = 0.01;
const SEASON_SHARES = [0.03, 0.3];

/**
 * Weight of beta / alpha in minus twice the log posterior. This weight corresponds to an exponential prior with mean
 * 1/5.
 */
const TREND_PRIOR = 10;

/**
 * Estimates the coefficients and the initial states at the mode of the posterior. The coefficients stay in their usual
 * region, where the influence of past values dies out. If the form has a trend, the posterior is the likelihood times
 * an exponential prior of mean 1/5 on beta / alpha. Without the prior, forecasts of short series extend the last change
 * too far. The mean of the prior was chosen on training series among 1/1.5, 1/3 and 1/5. Forms without trend are
 * estimated by maximum likelihood. The search has fixed starts.
 *
 * y: values near 1 (`scaleToUnit`), positive if the form has a multiplicative part. Never throws.
 */
export function estimateEts(y: Float64Array, period: number, form: EtsForm): EtsEstimate {
  const run = etsRun(y, form, period);
  const at = coordinatesOf(form, period);
  const x = startOf(run, at, form, period);
  const scale = scaleOf(run, at, form);
  const last = new Float64Array(at.size);
  const found = minimizeWithin(
    {
      value: (point) => {
        setParameters(run, at, point);
        last.set(point);
        if (!isForecastable(run, at.slope >= 0)) return Infinity;
        return minusTwoLogLikelihood(run, form) + (at.beta < 0 ? 0 : TREND_PRIOR * point[at.beta]!);
      },
      gradient: (into) => {
        propagateGradient(run, form);
        gradientOf(run, at, last, into);
        if (at.beta >= 0) into[at.beta] = into[at.beta]! + TREND_PRIOR;
      },
    },
    x,
    { ...boundsOf(at), scale, tolerance: 1e-6, iterations: 300 },
  );
  setParameters(run, at, found.x);
  return { form, run, objective: minusTwoLogLikelihood(run, form) };
}

/**
 * Returns the start of the search, and sets it in `run`: the heuristic initial states, and the coefficients
 * from a fixed list that have the largest likelihood at these states. If no coefficients of the list give
 * only positive forecasts, uses states with a smaller slope and season.
 */
function startOf(run: EtsRun, at: Coordinates, form: EtsForm, period: number): Float64Array {
  const states = initialStates(run.y, period, form);
  const x = new Float64Array(at.size);
  x[at.level] = states.level;
  if (at.beta >= 0) x[at.beta] = TREND_SHARE;
  if (at.phi >= 0) x[at.phi] = 0.95;
  let min = Infinity;
  const best = x.slice();
  for (let part = 1; part >= 0 && min === Infinity; part -= 0.5) {
    if (at.slope >= 0) x[at.slope] = part * states.slope;
    const neutral = form.season === 'M' ? 1 : 0;
    for (let place = 0; at.seasons >= 0 && place < period - 1; place += 1)
      x[at.seasons + place] = neutral + part * (states.seasons[place]! - neutral);
    for (const alpha of ALPHAS)
      for (const seasonShare of at.gamma < 0 ? [0] : SEASON_SHARES) {
        x[0] = alpha;
        if (at.gamma >= 0) x[at.gamma] = seasonShare;
        setParameters(run, at, x);
        const value = isForecastable(run, at.slope >= 0) ? minusTwoLogLikelihood(run, form) : Infinity;
        if (value < min || min === Infinity) {
          min = value;
          best.set(x);
        }
      }
  }
  setParameters(run, at, best);
  minusTwoLogLikelihood(run, form);
  return best;
}

/**
 * Returns the scale of each variable: 0.1 for coefficients, and the size of an error for states. The slope has a fifth
 * of this size. Multiplicative seasons have this size relative to the level.
 */
function scaleOf(run: EtsRun, at: Coordinates, { season }: EtsForm): Float64Array {
  const scale = new Float64Array(at.size).fill(0.1);
  const size = Math.max(1e-6, Math.sqrt(sumOfSquares(run, 'A') / run.n) || 0);
  scale[at.level] = size;
  if (at.slope >= 0) scale[at.slope] = 0.2 * size;
  if (at.seasons >= 0)
    scale.fill(season === 'M' ? size / Math.max(size, Math.abs(run.level)) : size, at.seasons);
  return scale;
}
