import { mean } from '../descriptive.ts';
import { normalQuantile } from '../normal-quantile.ts';
import { tailWeights } from './es-rockafellar-uryasev.ts';
import { type7Weights } from './historical-type7.ts';
import { varies } from './varies.ts';

/**
 * The derivatives of a risk measure with respect to the portfolio returns of single periods. `places` are
 * indices of periods. The measure of the portfolio is the sum of weight x portfolio return over these
 * periods. The marginal risk of a holding is the sum of weight x return of the holding over the same periods.
 */
export type EulerCoefficients = { places: Uint32Array; weights: Float64Array };

/**
 * Returns the coefficients of the volatility of a period (ddof 1): (p_t - mean) / ((T - 1) sd).
 *
 * `returns`: T returns p of the portfolio. Returns null if there are fewer than two returns, or if they do
 * not vary.
 * Source: Tasche, "Euler Allocation" (2008), for this and the other measures.
 */
export function volatilityCoefficients(returns: ArrayLike<number>): EulerCoefficients | null {
  if (!varies(returns)) return null;
  const { squares, deviations } = deviationsOf(returns);
  const scale = 1 / ((returns.length - 1) * Math.sqrt(squares / (returns.length - 1)));
  return everyPlace(deviations.map((each) => each * scale));
}

/**
 * Returns the coefficients of the value at risk of a normal distribution (ddof 0). Returns null if the
 * returns do not vary.
 */
export function varGaussianCoefficients(returns: ArrayLike<number>, level: number): EulerCoefficients | null {
  if (!varies(returns)) return null;
  const { squares, deviations } = deviationsOf(returns);
  const T = returns.length;
  const scale = normalQuantile(1 - level) / (T * Math.sqrt(squares / T));
  return everyPlace(deviations.map((each) => -1 / T - each * scale));
}

/**
 * Returns the coefficients of the historical value at risk (type 7): the weights of the one or two periods
 * between which the quantile is interpolated. The marginal risk of a holding is its weighted loss in these
 * periods. This marginal risk is exact, but varies strongly from sample to sample.
 *
 * `order`: the indices of the periods, in ascending order of the portfolio returns, as returned by
 * `ascendingOrder`. Throws a `RangeError` without periods and on a level outside (0, 1).
 */
export function varType7Coefficients(order: ArrayLike<number>, level: number): EulerCoefficients {
  const entries = type7Weights(order.length, level);
  return {
    places: Uint32Array.from(entries, ({ place }) => order[place]!),
    weights: Float64Array.from(entries, ({ weight }) => -weight),
  };
}

/**
 * Returns the coefficients of the expected shortfall of Rockafellar and Uryasev: the weights of the periods
 * in the tail.
 *
 * `order` and errors: see `varType7Coefficients`.
 */
export function esCoefficients(order: ArrayLike<number>, level: number): EulerCoefficients {
  const { whole, each, rest } = tailWeights(order.length, level);
  const places = Uint32Array.from({ length: whole + 1 }, (_, at) => order[at]!);
  return { places, weights: Float64Array.from(places, (_, at) => (at < whole ? -each : -rest)) };
}

/** Returns the sum of the weights times the values of their periods, in the order of `places`. */
export function eulerSum({ places, weights }: EulerCoefficients, values: Float64Array): number {
  let total = 0;
  for (let at = 0; at < places.length; at += 1) total += weights[at]! * values[places[at]!]!;
  return total;
}

/**
 * Returns the sums of `eulerSum` for each column of values, with the same bits. If the coefficients cover every
 * period, four columns are summed at a time: the additions of one sum must wait for each other, those of four sums
 * need not.
 */
export function eulerSums(coefficients: EulerCoefficients, columns: readonly Float64Array[]): number[] {
  const { places, weights } = coefficients;
  const isDense = columns.every(({ length }) => length === places.length) && places.every(isOwnIndex);
  if (!isDense) return columns.map((column) => eulerSum(coefficients, column));
  const sums: number[] = [];
  let next = 0;
  for (; next + 4 <= columns.length; next += 4)
    sums.push(...fourSums(weights, columns.slice(next, next + 4) as FourColumns));
  for (; next < columns.length; next += 1) sums.push(eulerSum(coefficients, columns[next]!));
  return sums;
}

type FourColumns = [Float64Array, Float64Array, Float64Array, Float64Array];

function fourSums(weights: Float64Array, [a, b, c, d]: FourColumns): [number, number, number, number] {
  let [one, two, three, four] = [0, 0, 0, 0];
  for (let t = 0; t < weights.length; t += 1) {
    const weight = weights[t]!;
    one += weight * a[t]!;
    two += weight * b[t]!;
    three += weight * c[t]!;
    four += weight * d[t]!;
  }
  return [one, two, three, four];
}

function isOwnIndex(place: number, index: number): boolean {
  return place === index;
}

/** Returns the indices of the values in ascending order of the values. Equal values are ordered by index. */
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
