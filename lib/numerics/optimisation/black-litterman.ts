import type { Matrix } from 'ml-matrix';
import { matrixOf } from '../matrix.ts';
import { backwardSolve, forwardSolve, lowerCholesky } from '../scenario/lower-cholesky.ts';

/** A view on the return of a portfolio of assets. */
export type ReturnView = {
  /** K weights of the portfolio: 1 for an absolute view, 1 and -1 for a relative one. */
  portfolio: ArrayLike<number>;
  /** The expected return of the portfolio. */
  value: number;
  /** Either a confidence above 0 and at most 1, or the variance of the error of the view, 0 or above. */
  uncertainty: { confidence: number } | { variance: number };
};

export type BlackLitterman = {
  /** K expected returns. */
  means: Float64Array;
  /** K-by-K covariance of the estimated means, without the covariance of the returns. */
  meansCovariance: Matrix;
  /** Variance of the error of each view. */
  viewVariances: Float64Array;
};

/**
 * Returns the posterior of Black and Litterman: means = prior + t S P' (P t S P' + O)^-1 (Q - P prior).
 *
 * Shapes: `covariance` S K-by-K; `prior` K returns of the same period; V views. `tau` t is above 0.
 * A confidence c sets the variance of a view to (1 - c) / c times p t S p': 1 is certain, 0.5 is the rule of He and
 * Litterman. Views are independent of each other (O is diagonal).
 * Errors: `RangeError` if shapes differ, a confidence or variance is out of range, or views that are certain repeat or
 * contradict each other, so that the inverse does not exist.
 * Source: Black and Litterman, "Global Portfolio Optimization" (Financial Analysts Journal 48, 1992), in the form of
 * Meucci, "The Black-Litterman Approach" (2010), equations 20 and 21; confidence by Idzorek (2005) in the closed form of
 * Walters, "The Black-Litterman Model in Detail" (2014).
 *
 * Example: one asset with variance 0.04, prior 0.05, tau 1 and a view of 0.10 with confidence 0.5 has the mean 0.075.
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
  if (!lower) throw new RangeError('views that are certain repeat or contradict each other');
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
 * Returns the expected excess returns for which a portfolio is the optimum of mean-variance utility: d S w.
 *
 * Shapes: `covariance` K-by-K, `weights` K. Source: Black and Litterman (1992), reverse optimisation.
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

function dot(one: ArrayLike<number>, other: ArrayLike<number>): number {
  let total = 0;
  for (let k = 0; k < one.length; k += 1) total += one[k]! * other[k]!;
  return total;
}
