/**
 * Orders of a multiplicative seasonal ARIMA model, ARIMA(p,d,q)(P,D,Q)[period].
 *
 * With `w` the series differenced `D` times at lag `period` and `d` times at lag 1, the model is
 * `(1 - phi(B)) (1 - Phi(B^period)) (w_t - c) = (1 + theta(B)) (1 + Theta(B^period)) e_t`,
 * where c is 0 without a constant. For an undifferenced series, the constant is the mean; for a series that is
 * differenced once, it is the slope of the drift.
 */
export type ArimaOrders = {
  p: number;
  d: number;
  q: number;
  P: number;
  D: number;
  Q: number;
  period: number;
  constant: boolean;
};

/** Counts the free coefficients, without the constant and the variance. */
export function coefficientsOf({ p, q, P, Q }: ArimaOrders): number {
  return p + P + q + Q;
}

/** Returns the usual notation, such as `ARIMA(0,1,1)(0,1,1)[12] with drift`. */
export function describeOrders({ p, d, q, P, D, Q, period, constant }: ArimaOrders): string {
  const seasonal = P + D + Q > 0 ? `(${P},${D},${Q})[${period}]` : '';
  const word = d + D === 0 ? 'mean' : 'drift';
  return `ARIMA(${p},${d},${q})${seasonal}${constant ? ` with ${word}` : ''}`;
}

/** Returns a key that identifies a model within a search. */
export function ordersKey({ p, d, q, P, D, Q, period, constant }: ArimaOrders): string {
  return `(${p},${d},${q})(${P},${D},${Q})[${period}]${constant ? 'c' : ''}`;
}
