import { exp } from '#lib/numerics/exponential.ts';

/**
 * Weights of methods as a function of features of a series. Arrays have one number for each feature or each method, in
 * order.
 */
export type WeightModel = Readonly<{
  methods: readonly string[];
  /** The mean of each feature over the training series. `spread` is the standard deviation of each feature. */
  center: readonly number[];
  spread: readonly number[];
  intercepts: readonly number[];
  slopes: readonly (readonly number[])[];
}>;

/**
 * Maximum distance of a feature from its mean, in standard deviations. Larger distances are clipped, so that weights
 * are not extrapolated.
 */
const FEATURE_MAX = 3;

/**
 * Returns the softmax of a linear function of the features: positive weights by method, summing to 1. Source:
 * the gradient-boosted softmax of FFORMA (Montero-Manso et al., International Journal of Forecasting 36
 * (2020)), with a linear function instead of boosted trees.
 *
 * Example: intercepts [0, ln 3] and slopes of 0 give [1/4, 3/4].
 */
export function featureWeights(model: WeightModel, features: readonly number[]): Record<string, number> {
  const scores = model.intercepts.map((intercept, method) => {
    let score = intercept;
    features.forEach((feature, at) => {
      score += model.slopes[at]![method]! * standardized(feature, model.center[at]!, model.spread[at]!);
    });
    return score;
  });
  const highest = Math.max(...scores);
  const raw = scores.map((score) => exp(score - highest));
  const total = raw.reduce((sum, weight) => sum + weight, 0);
  return Object.fromEntries(model.methods.map((method, at) => [method, raw[at]! / total]));
}

/**
 * Returns the distance of a feature from its mean, in standard deviations, clipped to at most three; 0 for a feature
 * that does not vary.
 */
export function standardized(feature: number, center: number, spread: number): number {
  if (!(spread > 0)) return 0;
  return Math.max(-FEATURE_MAX, Math.min(FEATURE_MAX, (feature - center) / spread));
}
