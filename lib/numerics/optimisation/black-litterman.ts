import { dot } from '../dot-product.ts';
import type { Matrix } from 'ml-matrix';
import { matrixOf } from '../matrix.ts';
import { backwardSolve, forwardSolve, lowerCholesky } from '../scenario/lower-cholesky.ts';

/** A view on the return of a portfolio of assets. */
export type ReturnView = {
  /**
   * K weights of the portfolio. An absolute view has the weight 1 for one asset; a relative view has the
   * weights 1 and -1.
   */
  portfolio: ArrayLike<number>;
  /** The expected return of the portfolio. */
  value: number;
  /**
   * Uncertainty of the view: a confidence above 0 and at most 1, or the variance of its error, at least 0.
   */
  uncertainty: { confidence: number } | { variance: number };
};

export type BlackLitterman = {
  /** K expected returns. */
  means: Float64Array;
  /**
   * K-by-K covariance of the errors of the estimated means. The covariance of the returns is not included.
   */
  meansCovariance: Matrix;
  /** Variance of the error of each view. */
  viewVariances: Float64Array;
};

/**
 * Returns the posterior of Black and Litterman: means = prior + t S P' (P t S P' + O)^-1 (Q - P prior).
 *
 * Shapes: `covariance` S is K-by-K; `prior` has K returns of the same period; there are V views with portfolios P and
 * values Q. `tau` t is above 0. A confidence c sets the variance of a view to (1 - c) / c times p t S p'. A confidence
 * of 1 means a certain view, and 0.5 gives the rule of He and Litterman. Views are independent of each other (O is
 * diagonal). Errors: `RangeError` if shapes differ, a confidence or variance is out of range, or certain views repeat
 * or contradict each other. In the last case the inverse does not exist. Source: Black and Litterman, "Global Portfolio
 * Optimization" (Financial Analysts Journal 48, 1992), in the form of Meucci, "The Black-Litterman Approach" (2010),
 * equations 20 and 21; confidence by Idzorek (2005) in the closed form of Walters, "The Black-Litterman Model in
 * Detail" (2014).
 *
 * Example: one asset with variance 0.04, prior 0.05, tau 1 and a view of 0.10 with confidence 0.5 has the
 * mean 0.075.
 */
export function blackLitterman(
  covariance: Matrix,
  prior: ArrayLike<number>,
  { tau, views }: { tau: number; views: readonly ReturnView[] },
): BlackLitterman {
  const [K, V] = [covariance.rows, views.length];
  if (!(tau > 0) || prior.length !== K || views.some(({ portfolio }) => portfolio.length !== K))
    throw new RangeError(`tau must be above 0, and the prior and every view need ${K} numbers`);
  const spread = views.map(({ portfolio }) => scaledProduct(covariance, portfolio, tau));
  const viewVariances = Float64Array.from(views, (view, at) => varianceOf(view, spread[at]!));
  const means = Float64Array.from(prior);
  const meansCovariance = covariance.clone().mul(tau);
  if (V === 0) return { means, meansCovariance, viewVariances };
  const middle = matrixOf(
    V,
    V,
    (one, other) => dot(views[one]!.portfolio, spread[other]!) + (one === other ? viewVariances[one]! : 0),
  );
  const lower = lowerCholesky(middle);
  if (!lower) throw new RangeError('views with a confidence of 1 repeat or contradict each other');
  const surprise = Float64Array.from(views, ({ portfolio, value }) => value - dot(portfolio, prior));
  const weights = backwardSolve(lower, forwardSolve(lower, surprise));
  for (let v = 0; v < V; v += 1) for (let k = 0; k < K; k += 1) means[k]! += spread[v]![k]! * weights[v]!;
  const roots = Array.from({ length: K }, (_, k) =>
    forwardSolve(
      lower,
      Float64Array.from(spread, (each) => each[k]!),
    ),
  );
  for (let k = 0; k < K; k += 1)
    for (let l = 0; l < K; l += 1)
      meansCovariance.set(k, l, meansCovariance.get(k, l) - dot(roots[k]!, roots[l]!));
  return { means, meansCovariance, viewVariances };
}

/**
 * Returns the expected excess returns at which a portfolio maximises mean-variance utility: d S w, with the
 * risk aversion d.
 *
 * Shapes: `covariance` S is K-by-K, `weights` w has K numbers.
 * Source: Black and Litterman (1992), reverse optimisation.
 *
 * Example: variance 0.04, weight 1 and risk aversion 2.5 give 0.1.
 */
export function equilibriumReturns(
  covariance: Matrix,
  weights: ArrayLike<number>,
  { riskAversion }: { riskAversion: number },
): Float64Array {
  if (weights.length !== covariance.rows) throw new RangeError(`there must be ${covariance.rows} weights`);
  return scaledProduct(covariance, weights, riskAversion);
}

function varianceOf({ portfolio, uncertainty }: ReturnView, spread: Float64Array): number {
  if ('variance' in uncertainty) {
    if (uncertainty.variance >= 0) return uncertainty.variance;
    throw new RangeError(`the variance of a view is ${uncertainty.variance}; it must be 0 or above`);
  }
  const { confidence } = uncertainty;
  if (confidence > 0 && confidence <= 1) return ((1 - confidence) / confidence) * dot(portfolio, spread);
  throw new RangeError(`the confidence of a view is ${confidence}; it must be above 0 and at most 1`);
}

function scaledProduct(covariance: Matrix, weights: ArrayLike<number>, scale: number): Float64Array {
  return Float64Array.from({ length: covariance.rows }, (_, k) => {
    let total = 0;
    for (let l = 0; l < covariance.columns; l += 1) total += covariance.get(k, l) * weights[l]!;
    return scale * total;
  });
}
