import { ln } from '#lib/numerics/natural-log.ts';
import {
  conditionalStart,
  correctedAkaike,
  isClearOfUnitRoots,
  magnitude,
  parametersOf,
  sumsOfSquares,
} from './estimate.ts';
import { leastSquares } from './least-squares.ts';
import { coefficientsOf, type ArimaOrders } from './orders.ts';
import { carriedOver, startsOf } from './starts.ts';

/** A model that was tried: its parameters and its AICc. An AICc of Infinity excludes the model. */
export type Candidate = { orders: ArimaOrders; x: Float64Array; aicc: number };

const EXACT_LENGTH_MAX = 150;
const EXACT_PERIOD_MAX = 12;
const REFINED = 3;

/**
 * Largest ratio between two sums of squares: the sum after three steps of the search from the conditional estimate,
 * divided by the sum at the optimum of the first search. Above this ratio, the search from the conditional estimate
 * stops.
 */
const CLOSE = 1.002;
const LN_TWO_PI = 1.8378770664093453;

/**
 * Compares the models of a search on the differenced series `w`; `n` is the number of values before
 * differencing.
 *
 * Series of up to 150 values and periods of up to 12 are compared by the exact likelihood. Longer series are
 * compared by the conditional sum of squares, and the three best models again by the exact likelihood. The
 * search for the parameters of a model starts from the sample estimates or from the parameters of the best
 * model so far, whichever have the smaller sum of squares. A model with autoregressive and moving average
 * terms can have several optima. Under the exact likelihood, a second search for such a model therefore
 * starts from the conditional estimate.
 */
export function candidates(w: Float64Array, n: number, none: ArimaOrders) {
  const unit = magnitude(w);
  const values = w.map((value) => value / unit);
  const exactly = n <= EXACT_LENGTH_MAX && none.period <= EXACT_PERIOD_MAX;
  const tried: Candidate[] = [];
  const evaluate = (orders: ArimaOrders, best: Candidate | undefined): Candidate => {
    const found = tryModel(values, orders, best, exactly);
    tried.push(found);
    return found;
  };
  /** Chooses again among the best models of a conditional search, by the exact likelihood. */
  const refine = (best: Candidate): Candidate => {
    if (exactly) return best;
    const ranked = tried.filter(({ aicc }) => aicc < Infinity).sort((a, b) => a.aicc - b.aicc);
    let refined: Candidate | undefined;
    for (const [rank, candidate] of ranked.entries()) {
      if (rank >= REFINED && refined) break;
      const found = tryModel(values, candidate.orders, candidate, true);
      if (found.aicc < (refined?.aicc ?? Infinity)) refined = found;
    }
    return refined ?? best;
  };
  return { evaluate, refine, length: n };
}

function tryModel(
  values: Float64Array,
  orders: ArimaOrders,
  best: Candidate | undefined,
  exactly: boolean,
): Candidate {
  const length = values.length;
  const parameters = parametersOf(orders);
  const none = { orders, x: new Float64Array(coefficientsOf(orders)), aicc: Infinity };
  if (length <= parameters + 1) return none;
  const { exact, conditionally, coefficientsAt } = sumsOfSquares(values, orders);
  const squares = exactly ? exact : conditionally;
  const residuals = new Float64Array(length);
  const fixed = startsOf(values, orders);
  const nearest = (best ? [...fixed, carriedOver(best.x, best.orders, orders)] : fixed)
    .map((x) => ({ x, value: squares(x, residuals) }))
    .reduce((min, each) => (each.value < min.value ? each : min)).x;
  const options = { residuals: length, tolerance: 1e-5, iterations: 20 };
  let found = leastSquares(squares, nearest, options);
  if (exactly && isMixed(orders)) {
    const other = conditionalStart(conditionally, fixed, length);
    const begun = leastSquares(squares, other, { ...options, iterations: 3 });
    if (begun.value < found.value * CLOSE) {
      const ended = leastSquares(squares, begun.x, options);
      if (ended.value < found.value) found = ended;
    }
  }
  if (found.value === Infinity) return none;
  const used = exactly ? length : length - orders.p - orders.P * orders.period;
  const deviance = length * (ln(found.value / used) + 1 + LN_TWO_PI);
  const aicc = correctedAkaike(deviance, parameters, length);
  const isSound = isClearOfUnitRoots(coefficientsAt(found.x), orders.period);
  return { orders, x: found.x, aicc: isSound && aicc === aicc ? aicc : Infinity };
}

function isMixed({ p, q, P, Q }: ArimaOrders): boolean {
  return p + P > 0 && q + Q > 0;
}
