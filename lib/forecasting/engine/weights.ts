/**
 * Maximum ratio of a method's backtest error to the smallest error. A method above this ratio has weight 0. In
 * measurements, a maximum of 2 excluded good methods.
 */
export const ERROR_RATIO_MAX = 3;

/**
 * Errors below this share of the typical error are treated as equal, so that a perfect fit does not outweigh all other
 * methods.
 */
const ERROR_MIN = 0.01;

export type Weighed = { prior: number; error: number | null };

/**
 * Returns the weights of a combination, summing to 1: prior x error^-0.5, or 0 for a method with prior 0 or with an
 * error above `ERROR_RATIO_MAX` times the smallest. If all priors are 0, the priors are treated as equal. In
 * measurements, stronger powers of the error made forecasts worse.
 *
 * Example: priors [1, 1, 1] and errors [1, 1.21, 5] give [0.524, 0.476, 0].
 * Source: soft weights by backtest as in Pawlikowski and Chorowska, "Weighted ensemble of statistical models",
 * International Journal of Forecasting 36 (2020), with the power -0.5.
 */
export function combinationWeights(methods: readonly Weighed[]): number[] {
  const hasPrior = methods.some(({ prior }) => prior > 0);
  const takes = ({ prior }: Weighed) => prior > 0 || !hasPrior;
  const byBacktest = backtestWeights(methods.map((each) => (takes(each) ? each.error : undefined)));
  const raw = methods.map(({ prior }, at) => (hasPrior ? prior : 1) * byBacktest[at]!);
  const sum = raw.reduce((total, weight) => total + weight, 0);
  return raw.map((weight) => weight / sum);
}

/**
 * Returns relative weights from backtest errors only: (error / typical error)^-0.5. The weight is 0 for a
 * method whose error is above `ERROR_RATIO_MAX` times the smallest, and for a method that is excluded from
 * the combination (`undefined`). A method without a backtest (`null`) gets the typical error, which is the
 * median.
 */
export function backtestWeights(errors: readonly (number | null | undefined)[]): Float64Array {
  const had = errors.filter((error) => typeof error === 'number').sort((a, b) => a - b);
  const typical = had[had.length >> 1] ?? 0;
  const min = typical * ERROR_MIN;
  const best = Math.max(had[0] ?? 0, min);
  return Float64Array.from(errors, (error) => {
    if (error === undefined) return 0;
    const taken = Math.max(error ?? typical, min);
    if (taken > ERROR_RATIO_MAX * best) return 0;
    return typical > 0 ? 1 / Math.sqrt(taken / typical) : 1;
  });
}
