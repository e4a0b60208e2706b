import { mean } from '../descriptive.ts';
import { normalQuantile } from '../normal-quantile.ts';
import { tailWeights } from './es-rockafellar-uryasev.ts';
import { type7Weights } from './historical-type7.ts';

/**
 * The derivative of a risk measure by the returns of the portfolio: the measure of a portfolio is the sum of
 * `weight` x return at `place` over the entries, and the marginal risk of a holding is the same sum over its returns.
 */
export type EulerCoefficients = { place: number; weight: number }[];

/**
 * Returns the coefficients of the volatility of a period (ddof 1): (p_t - mean) / ((T - 1) sd).
 *
 * `returns`: T >= 2 returns p of the portfolio. Null if they do not vary.
 * Source: Tasche, "Euler Allocation" (2008), for this and the other measures.
 */
export function volatilityCoefficients(returns: ArrayLike<number>): EulerCoefficients | null {
  const { squares, deviations } = deviationsOf(returns);
  const T = returns.length;
  if (T < 2 || !(squares > 0)) return null;
  const scale = 1 / ((T - 1) * Math.sqrt(squares / (T - 1)));
  return Array.from(deviations, (each, place) => ({ place, weight: each * scale }));
}

/** Returns the coefficients of the value at risk of a normal law (ddof 0). Null if the returns do not vary. */
export function varGaussianCoefficients(returns: ArrayLike<number>, level: number): EulerCoefficients | null {
  const { squares, deviations } = deviationsOf(returns);
  const T = returns.length;
  if (!(squares > 0)) return null;
  const scale = normalQuantile(1 - level) / (T * Math.sqrt(squares / T));
  return Array.from(deviations, (each, place) => ({ place, weight: -1 / T - each * scale }));
}

/**
 * Returns the coefficients of the historical value at risk (type 7): the one or two periods that it is interpolated
 * from. The marginal risk of a holding is what it lost in these periods, so it is exact and varies much.
 *
 * `order`: the periods in ascending order of the returns of the portfolio, ties by period.
 */
export function varType7Coefficients(order: ArrayLike<number>, level: number): EulerCoefficients {
  return type7Weights(order.length, level).map(({ place, weight }) => ({
    place: order[place]!,
    weight: -weight,
  }));
}

/**
 * Returns the coefficients of the expected shortfall of Rockafellar and Uryasev: the periods of the tail.
 *
 * `order`: as for `varType7Coefficients`.
 */
export function esCoefficients(order: ArrayLike<number>, level: number): EulerCoefficients {
  const { whole, each, rest } = tailWeights(order.length, level);
  return Array.from({ length: whole + 1 }, (_, at) => ({
    place: order[at]!,
    weight: at < whole ? -each : -rest,
  }));
}

/** Returns the sum of the coefficients times the values at their places. */
export function eulerSum(coefficients: EulerCoefficients, values: ArrayLike<number>): number {
  let total = 0;
  for (const { place, weight } of coefficients) total += weight * values[place]!;
  return total;
}

/** Returns the places of the values in ascending order, ties by place. */
export function ascendingOrder(values: ArrayLike<number>): Uint32Array {
  return Uint32Array.from({ length: values.length }, (_, place) => place).sort(
    (one, other) => values[one]! - values[other]! || one - other,
  );
}

function deviationsOf(returns: ArrayLike<number>) {
  const centre = mean(returns);
  let squares = 0;
  const deviations = Float64Array.from(returns, (each) => {
    squares += (each - centre) * (each - centre);
    return each - centre;
  });
  return { squares, deviations };
}
