import {
  ascendingOrder,
  esCoefficients,
  type EulerCoefficients,
  eulerSum,
  eulerSums,
  varGaussianCoefficients,
  varType7Coefficients,
  volatilityCoefficients,
} from '#lib/numerics/risk/euler-coefficients.ts';
import type { WeightedPosition } from './prepared-risk.ts';

/**
 * Returns the contribution of each position to each measure of risk. The components of a measure sum to the
 * measure of the portfolio, because each measure is homogeneous in the weights (Euler's theorem).
 *
 * `returns`: the last n returns of the portfolio, computed from the weights of the positions. `periodsPerYear`:
 * number of periods per year. If the returns do not vary, the lists of the measure are null.
 */
export function riskComponents(
  held: readonly WeightedPosition[],
  returns: Float64Array,
  { levels, periodsPerYear }: { levels: readonly number[]; periodsPerYear: number },
) {
  const columns = held.map((each) => each.returns.subarray(each.returns.length - returns.length));
  const order = ascendingOrder(returns);
  const split = (coefficients: EulerCoefficients | null, scale = 1) =>
    coefficients &&
    contributions(held, columns, { coefficients, total: eulerSum(coefficients, returns), scale });
  return {
    symbols: held.map(({ position }) => position.symbol),
    weights: held.map(({ weight }) => weight),
    volatility: split(volatilityCoefficients(returns), Math.sqrt(periodsPerYear)),
    levels: levels.map((level) => ({
      level,
      var_historical_type7: split(varType7Coefficients(order, level)),
      var_gaussian: split(varGaussianCoefficients(returns, level)),
      es_rockafellar_uryasev: split(esCoefficients(order, level)),
    })),
  };
}

function contributions(
  held: readonly WeightedPosition[],
  columns: readonly Float64Array[],
  { coefficients, total, scale }: { coefficients: EulerCoefficients; total: number; scale: number },
) {
  const marginal = eulerSums(coefficients, columns).map((sum) => sum * scale);
  const component = marginal.map((each, at) => each * held[at]!.weight);
  const whole = total * scale;
  return {
    total: whole,
    marginal,
    component,
    percent: whole === 0 ? null : component.map((each) => each / whole),
  };
}
