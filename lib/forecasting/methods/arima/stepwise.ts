import { isConstant } from '../difference/difference.ts';
import { differenceOrders } from '../difference/difference-orders.ts';
import { candidates, type Candidate } from './candidates.ts';
import { differenced } from './estimate.ts';
import { ordersKey, type ArimaOrders } from './orders.ts';

const P_MAX = 5;
const SEASONAL_MAX = 2;
const MODELS_MAX = 94;

/**
 * The changes of (p, q, P, Q) that the search tries, in this order. Afterwards, the search tries to add or remove the
 * constant.
 */
const MOVES: readonly (readonly [number, number, number, number])[] = [
  [0, 0, -1, 0],
  [0, 0, 0, -1],
  [0, 0, 1, 0],
  [0, 0, 0, 1],
  [0, 0, -1, -1],
  [0, 0, -1, 1],
  [0, 0, 1, -1],
  [0, 0, 1, 1],
  [-1, 0, 0, 0],
  [0, -1, 0, 0],
  [1, 0, 0, 0],
  [0, 1, 0, 0],
  [-1, -1, 0, 0],
  [-1, 1, 0, 0],
  [1, -1, 0, 0],
  [1, 1, 0, 0],
];

/**
 * Searches stepwise for the orders of an ARIMA model with the smallest AICc.
 *
 * The differences are chosen by tests beforehand. The search starts from the best of four or five simple models and
 * repeatedly moves to the first better neighbour. It stops when no neighbour is better. A neighbour differs in p, q or
 * both by one, in P, Q or both by one, or in the constant. Models with a root within 0.01 of the unit circle are
 * skipped. At most 94 models are tried. If the best simple model has no constant, its neighbours are still tried with a
 * constant.
 * Source: Hyndman and Khandakar, "Automatic time series forecasting: the forecast package for R", Journal of
 * Statistical Software 27 (2008), section 3.2; moves of two orders at once as in later versions of the package.
 */
export function searchOrders(values: Float64Array, period: number): ArimaOrders {
  const { d, D } = differenceOrders(values, period);
  const none: ArimaOrders = { p: 0, d, q: 0, P: 0, D, Q: 0, period, constant: d + D < 2 };
  const w = differenced(values, none);
  if (isConstant(w)) return none;
  return stepwise(none, limitsOf(values.length, period), candidates(w, values.length, none)).orders;
}

type Limits = { p: number; q: number; P: number; Q: number };

function limitsOf(n: number, period: number): Limits {
  const third = Math.floor(n / 3);
  const seasonal = period > 1 ? Math.min(SEASONAL_MAX, Math.floor(third / period)) : 0;
  const ordinary = Math.min(P_MAX, third);
  const max = seasonal > 0 ? Math.min(ordinary, period - 1) : ordinary;
  return { p: max, q: max, P: seasonal, Q: seasonal };
}

function stepwise(none: ArimaOrders, limits: Limits, trial: ReturnType<typeof candidates>): Candidate {
  const seen = new Set<string>();
  const isNew = (orders: ArimaOrders): boolean => {
    const key = ordersKey(orders);
    if (seen.has(key) || seen.size >= MODELS_MAX) return false;
    seen.add(key);
    return true;
  };
  let best: Candidate | undefined;
  const isBetter = (orders: ArimaOrders): boolean => {
    if (!isNew(orders)) return false;
    const found = trial.evaluate(orders, best);
    if (best && !(found.aicc < best.aicc)) return false;
    best = found;
    return true;
  };
  for (const orders of simpleModels(none, limits, trial.length)) isBetter(orders);
  const simplest = best!;
  const from = (): ArimaOrders =>
    best === simplest ? { ...simplest.orders, constant: none.constant } : best!.orders;
  while (neighbours(from(), limits).some(isBetter));
  return trial.refine(best!);
}

/**
 * Returns the first models of the search: a model of medium order, white noise, an autoregression, a moving average,
 * and white noise without constant.
 */
function simpleModels(none: ArimaOrders, limits: Limits, n: number): ArimaOrders[] {
  const middle = n < 10 ? { p: 1, q: 1, P: 0, Q: 0 } : { p: 2, q: 2, P: 1, Q: 1 };
  const one = (limit: number): number => Math.min(1, limit);
  return [
    {
      ...none,
      p: Math.min(middle.p, limits.p),
      q: Math.min(middle.q, limits.q),
      P: Math.min(middle.P, limits.P),
      Q: Math.min(middle.Q, limits.Q),
    },
    none,
    { ...none, p: one(limits.p), P: one(limits.P) },
    { ...none, q: one(limits.q), Q: one(limits.Q) },
    { ...none, constant: false },
  ];
}

function neighbours(from: ArimaOrders, limits: Limits): ArimaOrders[] {
  const moved = MOVES.map(([p, q, P, Q]) => ({
    ...from,
    p: from.p + p,
    q: from.q + q,
    P: from.P + P,
    Q: from.Q + Q,
  })).filter(
    ({ p, q, P, Q }) =>
      p >= 0 &&
      q >= 0 &&
      P >= 0 &&
      Q >= 0 &&
      p <= limits.p &&
      q <= limits.q &&
      P <= limits.P &&
      Q <= limits.Q,
  );
  return from.d + from.D < 2 ? [...moved, { ...from, constant: !from.constant }] : moved;
}
