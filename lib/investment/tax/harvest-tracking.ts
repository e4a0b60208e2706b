import type { FactorModel } from '../risk/factor-model.ts';
import type { HarvestSale } from './harvest-proposal.ts';

/** The first replacement of each sold symbol. A symbol without one is absent. */
export type FirstReplacements = ReadonlyMap<string, string>;

/**
 * Returns the changes of the weights of a portfolio by the sales: each sold symbol is replaced by its first replacement,
 * or by cash. `values` has the value of each symbol before the sales, in major units. Returns null if they add up to no
 * value above 0.
 */
export function weightChanges(
  sales: readonly Pick<HarvestSale, 'symbol' | 'proceedsMinor'>[],
  { first, values }: { first: FirstReplacements; values: ReadonlyMap<string, number> },
): Map<string, number> | null {
  let total = 0;
  for (const value of values.values()) total += value;
  if (total <= 0) return null;
  const changes = new Map<string, number>();
  for (const { symbol, proceedsMinor } of sales) {
    const weight = Number(proceedsMinor) / 100 / total;
    const replacement = first.get(symbol);
    changes.set(symbol, (changes.get(symbol) ?? 0) - weight);
    if (replacement !== undefined) changes.set(replacement, (changes.get(replacement) ?? 0) + weight);
  }
  return changes;
}

/**
 * Returns the standard deviation of the change of a portfolio's monthly return under a factor model, from the changes of
 * its weights. Returns null if the model lacks a symbol.
 */
export function modelTrackingError(
  changes: ReadonlyMap<string, number>,
  { covariance, exposuresOf, specificOf }: FactorModel,
): number | null {
  const exposure = covariance.map(() => 0);
  let variance = 0;
  for (const [symbol, change] of changes) {
    const own = exposuresOf.get(symbol);
    const specific = specificOf.get(symbol);
    if (!own || specific === undefined) return null;
    for (let at = 0; at < exposure.length; at += 1) exposure[at]! += change * own[at]!;
    variance += change * change * specific * specific;
  }
  for (const [row, covariances] of covariance.entries()) {
    let sum = 0;
    for (const [column, each] of covariances.entries()) sum += each * exposure[column]!;
    variance += exposure[row]! * sum;
  }
  return Math.sqrt(Math.max(variance, 0));
}
