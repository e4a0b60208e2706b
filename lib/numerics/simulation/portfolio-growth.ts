export const rebalancings = ['never', 'monthly', 'yearly', 'band'] as const;
export type Rebalancing = (typeof rebalancings)[number];

/** How a portfolio of assets is held over the months of a path. */
export type Allocation = {
  /** Number of assets. */
  assets: number;
  /** Target weights at the start of each month: horizon-by-assets, month by month. Each row sums to 1. */
  targets: Float64Array;
  rebalancing: Rebalancing;
  /** For `band`: if the difference between any weight and its target is above this number, all weights are reset. */
  band: number;
  /** Factor by which a fee multiplies the growth of each month; 1 without a fee. */
  fee: number;
};

/**
 * Growth factors of assets: `growth` has rows of `assets` numbers. `at` has one entry for each month of each path, path
 * by path: the offset in `growth` at which the row of that month starts.
 */
export type AssetGrowth = { growth: Float64Array; at: Int32Array };

/**
 * Fills `out` with the growth factors of a portfolio in each month of consecutive paths, after fees. Months in which
 * the portfolio has lost everything, and all later months, have the factor 0.
 *
 * Shapes: `out` and `at` are paths-by-horizon, path by path. Weights start at their targets, drift with the growth of
 * the assets, and are set to the targets at the start of every month (`monthly`), of every twelfth month (`yearly`), of
 * a month in which a weight is outside its band (`band`), or never again (`never`). Never throws.
 *
 * @example
 * // Two assets, one month of growth 1.1 and 0.9: with equal weights the portfolio grows by the factor 1.
 */
export function portfolioGrowth(
  out: Float64Array,
  { growth, at }: AssetGrowth,
  { assets, targets, rebalancing, band, fee }: Allocation,
): void {
  const horizon = targets.length / assets;
  const weights = new Float64Array(assets);
  for (let start = 0; start < out.length; start += horizon) {
    let isAlive = true;
    for (let t = 0; t < horizon; t += 1) {
      const target = t * assets;
      if (t === 0 || isDue(weights, { rebalancing, band, t, targets, target }))
        for (let i = 0; i < assets; i += 1) weights[i] = targets[target + i]!;
      const row = at[start + t]!;
      let total = 0;
      for (let i = 0; i < assets; i += 1) {
        const held = weights[i]! * growth[row + i]!;
        weights[i] = held;
        total += held;
      }
      isAlive &&= total > 0;
      if (!isAlive) {
        out[start + t] = 0;
        continue;
      }
      for (let i = 0; i < assets; i += 1) weights[i] = weights[i]! / total;
      out[start + t] = total * fee;
    }
  }
}

function isDue(
  weights: Float64Array,
  of: { rebalancing: Rebalancing; band: number; t: number; targets: Float64Array; target: number },
): boolean {
  switch (of.rebalancing) {
    case 'never':
      return false;
    case 'monthly':
      return true;
    case 'yearly':
      return of.t % 12 === 0;
    case 'band':
      for (let i = 0; i < weights.length; i += 1)
        if (Math.abs(weights[i]! - of.targets[of.target + i]!) > of.band) return true;
      return false;
  }
}

/**
 * Returns the growth of a portfolio in each row of a table of growth factors, after fees, for weights that are the same
 * in every row. If weights are reset every month, the result can be used instead of the table: the results equal those
 * of `portfolioGrowth` to the bit.
 */
export function rowGrowth(growth: Float64Array, weights: Float64Array, fee: number): Float64Array {
  const assets = weights.length;
  const out = new Float64Array(growth.length / assets);
  for (let row = 0; row < out.length; row += 1) {
    let total = 0;
    for (let i = 0; i < assets; i += 1) total += weights[i]! * growth[row * assets + i]!;
    out[row] = total > 0 ? total * fee : 0;
  }
  return out;
}
