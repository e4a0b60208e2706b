/** A method with a backtest error above this many times the best is hopeless. */
export const HOPELESS_ABOVE = 3;

/** Errors below this share of the typical one are as good as none: a perfect fit is not to outweigh all others. */
const ERROR_LEAST = 0.01;

export type Weighed = { prior: number; error: number | null };

/**
 * Weights of a combination, summing to 1: prior x error^-0.5, and 0 for what is hopeless or has prior 0. A method
 * without a backtest error is taken at the median error of the others. Where all priors are 0, they count as equal.
 * Sharper powers of the error were measured to hurt.
 *
 * Example: priors [1, 1, 1] and errors [1, 1.21, 5] give [0.524, 0.476, 0].
 * Source: soft weights by backtest as in Pawlikowski and Chorowska, "Weighted ensemble of statistical models",
 * International Journal of Forecasting 36 (2020), with the power of this pool.
 */
export function combinationWeights(methods: readonly Weighed[]): number[] {
  const errors = methods.flatMap(({ error }) => (error === null ? [] : [error])).sort((a, b) => a - b);
  const typical = errors[errors.length >> 1] ?? 0;
  const least = typical * ERROR_LEAST;
  const best = Math.max(errors[0] ?? 0, least);
  const hasPrior = methods.some(({ prior }) => prior > 0);
  const raw = methods.map(({ prior, error }) => {
    const taken = Math.max(error ?? typical, least);
    if (taken > HOPELESS_ABOVE * best) return 0;
    return (hasPrior ? prior : 1) * (typical > 0 ? 1 / Math.sqrt(taken / typical) : 1);
  });
  const sum = raw.reduce((total, weight) => total + weight, 0);
  if (sum > 0) return raw.map((weight) => weight / sum);
  // The only ones with a prior are hopeless: what is not counts by its error alone.
  return combinationWeights(methods.map(({ error }) => ({ prior: 1, error })));
}
