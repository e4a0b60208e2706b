import type { ArimaOrders } from './orders.ts';
import { stationaryCoefficients } from './partial-autocorrelations.ts';

/**
 * The coefficients of an ARMA model of the differenced series `w`: the factors `ar`, `seasonalAr`, `ma` and
 * `seasonalMa`, and their products `phi` and `theta`. `phiLags` and `thetaLags` are the lags at which `phi`
 * and `theta` can differ from 0.
 */
export type Coefficients = {
  ar: Float64Array;
  seasonalAr: Float64Array;
  ma: Float64Array;
  seasonalMa: Float64Array;
  /** Coefficients of the multiplied model: `w_t = sum phi[i-1] w_(t-i) + e_t + sum theta[j-1] e_(t-j)`. */
  phi: Float64Array;
  theta: Float64Array;
  phiLags: Int32Array;
  thetaLags: Int32Array;
};

/** Allocates the coefficients of a model. */
export function emptyCoefficients({ p, q, P, Q, period }: ArimaOrders): Coefficients {
  return {
    ar: new Float64Array(p),
    seasonalAr: new Float64Array(P),
    ma: new Float64Array(q),
    seasonalMa: new Float64Array(Q),
    phi: new Float64Array(p + P * period),
    theta: new Float64Array(q + Q * period),
    phiLags: lagsOf(p, P, period),
    thetaLags: lagsOf(q, Q, period),
  };
}

/**
 * Returns a function that fills coefficients from unconstrained numbers, in the order AR, seasonal AR, MA, seasonal MA.
 * The model is stationary and invertible for all numbers.
 */
export function freeCoefficients(orders: ArimaOrders) {
  const into = emptyCoefficients(orders);
  const { p, P, q, Q, period } = orders;
  const work = new Float64Array(Math.max(p, P, q, Q));
  return (x: Float64Array): Coefficients => {
    stationaryCoefficients(x, 0, p, into.ar, work);
    stationaryCoefficients(x, p, P, into.seasonalAr, work);
    stationaryCoefficients(x, p + P, q, into.ma, work);
    stationaryCoefficients(x, p + P + q, Q, into.seasonalMa, work);
    for (let j = 0; j < q; j++) into.ma[j] = -into.ma[j]!;
    for (let j = 0; j < Q; j++) into.seasonalMa[j] = -into.seasonalMa[j]!;
    expand(into, period);
    return into;
  };
}

/** Computes `phi` and `theta` by multiplying the ordinary polynomials by the seasonal polynomials. */
export function expand(into: Coefficients, period: number): void {
  const { ar, seasonalAr, ma, seasonalMa, phi, theta } = into;
  phi.fill(0);
  theta.fill(0);
  phi.set(ar);
  theta.set(ma);
  for (let k = 0; k < seasonalAr.length; k++) {
    const lag = (k + 1) * period;
    phi[lag - 1] = phi[lag - 1]! + seasonalAr[k]!;
    for (let i = 0; i < ar.length; i++) phi[lag + i] = phi[lag + i]! - seasonalAr[k]! * ar[i]!;
  }
  for (let k = 0; k < seasonalMa.length; k++) {
    const lag = (k + 1) * period;
    theta[lag - 1] = theta[lag - 1]! + seasonalMa[k]!;
    for (let j = 0; j < ma.length; j++) theta[lag + j] = theta[lag + j]! + seasonalMa[k]! * ma[j]!;
  }
}

function lagsOf(ordinary: number, seasonal: number, period: number): Int32Array {
  const lags = new Set<number>();
  for (let k = 0; k <= seasonal; k++)
    for (let i = 0; i <= ordinary; i++) if (k * period + i > 0) lags.add(k * period + i);
  return Int32Array.from(lags).sort((a, b) => a - b);
}
