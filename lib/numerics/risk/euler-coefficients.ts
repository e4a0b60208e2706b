import { mean } from '../descriptive.ts';
import { normalQuantile } from '../normal-quantile.ts';
import { tailWeights } from './es-rockafellar-uryasev.ts';
import { type7Weights } from './historical-type7.ts';
import { varies } from './varies.ts';

/**
 * The derivative of a risk measure by the returns of the portfolio: the measure of a portfolio is the sum of weight x
 * return over the places, and the marginal risk of a holding is the same sum over its returns.
 */
export type EulerCoefficients = { places: Uint32Array; weights: Float64Array };

/**
 * Returns the coefficients of the volatility of a period (ddof 1): (p_t - mean) / ((T - 1) sd).
 *
 * `returns`: T returns p of the portfolio. Null with fewer than two, and if they do not vary.
 * Source: Tasche, "Euler Allocation" (2008), for this and the other measures.
 */
export function volatilityCoefficients(returns: ArrayLike<number>): EulerCoefficients | null {
  if (!varies(returns)) return null;
  const { squares, deviations } = deviationsOf(returns);
  const scale = 1 / ((returns.length - 1) * Math.sqrt(squares / (returns.length - 1)));
  return everyPlace(deviations.map((each) => each * scale));
}

/** Returns the coefficients of the value at risk of a normal law (ddof 0). Null if the returns do not vary. */
export function varGaussianCoefficients(returns: ArrayLike<number>, level: number): EulerCoefficients | null {
  if (!varies(returns)) return null;
  const { squares, deviations } = deviationsOf(returns);
  const T = returns.length;
  const scale = normalQuantile(1 - level) / (T * Math.sqrt(squares / T));
  return everyPlace(deviations.map((each) => -1 / T - each * scale));
}

/**
 * Returns the coefficients of the historical value at risk (type 7): the one or two periods that it is interpolated
 * from. The marginal risk of a holding is its loss in these periods, so it is exact but varies much.
 *
 * `order`: the periods in ascending order of the returns of the portfolio, as of `ascendingOrder`. Throws a
 * `RangeError` without periods and on a level outside (0, 1).
 */
export function varType7Coefficients(order: ArrayLike<number>, level: number): EulerCoefficients {
  const entries = type7Weights(order.length, level);
  return {
    places: Uint32Array.from(entries, ({ place }) => order[place]!),
    weights: Float64Array.from(entries, ({ weight }) => -weight),
  };
}

/**
 * Returns the coefficients of the expected shortfall of Rockafellar and Uryasev: the periods of the tail.
 *
 * `order` and errors as for `varType7Coefficients`.
 */
export function esCoefficients(order: ArrayLike<number>, level: number): EulerCoefficients {
  const { whole, each, rest } = tailWeights(order.length, level);
  const places = Uint32Array.from({ length: whole + 1 }, (_, at) => order[at]!);
  return { places, weights: Float64Array.from(places, (_, at) => (at < whole ? -each : -rest)) };
}

/** Returns the sum of the weights times the values at their places, in the order of the places. */
export function eulerSum({ places, weights }: EulerCoefficients, values: Float64Array): number {
  let total = 0;
  for (let at = 0; at < places.length; at += 1) total += weights[at]! * values[places[at]!]!;
  return total;
}

/** Returns the places of the values in ascending order, ties by place. */
export function ascendingOrder(values: ArrayLike<number>): Uint32Array {
  return Uint32Array.from({ length: values.length }, (_, place) => place).sort(
    (one, other) => values[one]! - values[other]! || one - other,
  );
}

function everyPlace(weights: Float64Array): EulerCoefficients {
  return { places: Uint32Array.from(weights, (_, place) => place), weights };
}

function deviationsOf(returns: ArrayLike<number>) {
  const centre = mean(returns);
  let squares = 0;
  const deviations = Float64Array.from(returns, (each) => each - centre);
  for (const each of deviations) squares += each * each;
  return { squares, deviations };
}
