import { Matrix } from 'ml-matrix';
import { crossSectionRidge } from '#lib/numerics/cross-section-ridge.ts';
import { type ExactGram, emptyGram, gramWithout } from '#lib/numerics/exact-gram.ts';
import { tailQuantiles, tailScratch } from '#lib/numerics/tail-quantiles.ts';
import type { CrossSections, MonthCoverage } from './cross-sections.ts';
import { MICRO } from '#lib/data/taxonomy.ts';
import type { MonthEstimate } from './theme-factors.result.ts';

/**
 * Quantiles of a month's returns at which the returns are clipped for the estimation. Residuals use the returns before
 * clipping.
 */
export const WINSOR = { lower: 0.01, upper: 0.99 } as const;

export type MonthFit = {
  estimate: Omit<MonthEstimate, 'month'>;
  /** Return of each factor per unit of exposure, K values, NaN if the factor is not active. */
  factorReturns: Float64Array;
  /**
   * Exposure-weighted mean of the returns for each theme, before clipping, K values, NaN if too few symbols are
   * observed.
   */
  indexReturns: Float64Array;
};

/** `pivot` is the smallest relative Cholesky pivot; see `crossSectionRidge`. */
export type MonthVerdict = { ok: true; fit: MonthFit } | { ok: false; pivot: number };

/**
 * Returns a function that regresses the clipped returns of month t on the exposures, and returns the month's estimates.
 * The function also writes the residual of every observed return to `residuals` (N-by-T, symbol after symbol): e_i =
 * r_i - (m + x_i'f), with the return r_i before clipping, the intercept m, the exposures x_i and the factor returns f.
 * All calls use the same working arrays.
 *
 * `whole` is the exact Gram matrix of all symbols. Each month subtracts its missing symbols from it.
 * Source: specification of svc_theme_factor_ridge_v1, steps 7, 8 and 11.
 */
export function themeRegression(
  sections: CrossSections,
  { whole, lambda, residuals }: { whole: ExactGram; lambda: number; residuals: Float64Array },
): (t: number, coverage: MonthCoverage) => MonthVerdict {
  const { exposures, symbols: rows, months } = sections;
  const { start, column, value } = exposures;
  const columns = exposures.columns;
  const gram = emptyGram(columns);
  const tails = tailScratch();
  const observed = new Int32Array(rows);
  const raw = new Float64Array(rows);
  const clipped = new Float64Array(rows);
  const products = { raw: new Float64Array(columns), clipped: new Float64Array(columns) };

  return (t, coverage) => {
    const n = gatherObserved(t);
    const bounds = tailQuantiles(raw, n, WINSOR, tails);
    const month = clip(n, bounds);
    gramWithout(gram, whole, exposures, { rows: coverage.missing, count: coverage.missing.length });
    multiplyExposures(n);
    const verdict = crossSectionRidge(momentsOf(n, coverage.active, month.meanClipped), lambda);
    if (!verdict.ok) return verdict;

    const { intercept, coefficients, effectiveParameters } = verdict.fit;
    const factorReturns = new Float64Array(columns).fill(Number.NaN);
    coverage.active.forEach((k, position) => (factorReturns[k] = coefficients[position]!));
    const rSquared = explain(t, n, { intercept, factorReturns, meanClipped: month.meanClipped });
    const estimate = {
      symbols: n,
      factors: coverage.active.length,
      winsor_low: bounds.low,
      winsor_high: bounds.high,
      clipped: month.clippedCount,
      market_return: month.meanRaw,
      intercept,
      r_squared: bounds.low < bounds.high ? rSquared : null,
      effective_parameters: effectiveParameters,
    };
    const indexReturns = Float64Array.from(coverage.indexed, (indexed, k) =>
      indexed ? products.raw[k]! / (gram.sums[k]! / MICRO) : Number.NaN,
    );
    return { ok: true, fit: { estimate, factorReturns, indexReturns } };
  };

  function gatherObserved(t: number): number {
    let n = 0;
    for (let row = 0; row < rows; row += 1) {
      const value = sections.returns[t * rows + row]!;
      if (Number.isNaN(value)) continue;
      observed[n] = row;
      raw[n] = value;
      n += 1;
    }
    return n;
  }

  function clip(n: number, { low, high }: { low: number; high: number }) {
    let clippedCount = 0;
    let totalRaw = 0;
    let totalClipped = 0;
    for (let i = 0; i < n; i += 1) {
      const r = raw[i]!;
      const y = r < low ? low : r > high ? high : r;
      if (y !== r) clippedCount += 1;
      clipped[i] = y;
      totalRaw += r;
      totalClipped += y;
    }
    return { clippedCount, meanRaw: totalRaw / n, meanClipped: totalClipped / n };
  }

  /** Computes sum x_ik r_i and sum x_ik y_i for all k. Zero exposures are skipped, which does not change the sums. */
  function multiplyExposures(n: number): void {
    products.raw.fill(0);
    products.clipped.fill(0);
    for (let i = 0; i < n; i += 1) {
      const row = observed[i]!;
      const r = raw[i]!;
      const y = clipped[i]!;
      for (let a = start[row]!; a < start[row + 1]!; a += 1) {
        const k = column[a]!;
        products.raw[k]! += value[a]! * r;
        products.clipped[k]! += value[a]! * y;
      }
    }
  }

  function momentsOf(n: number, active: readonly number[], meanY: number) {
    const size = active.length;
    const second = new Matrix(size, size);
    active.forEach((k, a) => {
      for (let b = a; b < size; b += 1) {
        second.set(a, b, gram.products[k * columns + active[b]!]! / (MICRO * MICRO));
      }
    });
    return {
      observations: n,
      sums: Float64Array.from(active, (k) => gram.sums[k]! / MICRO),
      products: second,
      crossProducts: Float64Array.from(active, (k) => products.clipped[k]!),
      meanY,
    };
  }

  /** Writes the residuals of the month and returns R^2 on the clipped returns. */
  function explain(
    t: number,
    n: number,
    {
      intercept,
      factorReturns,
      meanClipped,
    }: { intercept: number; factorReturns: Float64Array; meanClipped: number },
  ): number {
    let unexplained = 0;
    let total = 0;
    for (let i = 0; i < n; i += 1) {
      const row = observed[i]!;
      let fitted = intercept;
      for (let a = start[row]!; a < start[row + 1]!; a += 1) {
        const f = factorReturns[column[a]!]!;
        if (!Number.isNaN(f)) fitted += value[a]! * f;
      }
      residuals[row * months + t] = raw[i]! - fitted;
      const error = clipped[i]! - fitted;
      const deviation = clipped[i]! - meanClipped;
      unexplained += error * error;
      total += deviation * deviation;
    }
    return 1 - unexplained / total;
  }
}
