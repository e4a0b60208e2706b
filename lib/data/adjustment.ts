import { withoutTrailing } from '#lib/core/without-trailing.ts';
import type { PriceBasis } from './dataset.entity.ts';
import type { ActionType } from './corporate-action.ts';

/**
 * An action that has taken effect. `closeBefore` is the last close before its ex-date, in the price basis of the
 * series; null if no such close is known.
 */
export type EffectiveAction = {
  exDate: string;
  type: ActionType;
  amount: string | null;
  ratio: string | null;
  closeBefore: string | null;
};

/**
 * Before `exDate`, a price is multiplied by `price` and a volume by `volume`. From `exDate` on, prices and
 * volumes stay unchanged.
 */
export type AdjustmentStep = { exDate: string; price: number; volume: number };

/**
 * Returns the cumulative factors of splits and cash dividends, ordered by ex-date. A step applies to the days before
 * its ex-date, starting at the ex-date of the previous step.
 *
 * - A split of ratio r multiplies earlier prices by 1/r and earlier volumes by r.
 * - A dividend d multiplies earlier prices by 1 - d/p, where p is the close before the ex-date.
 * - On a day with both, the dividend applies to the shares after the split, so p is divided by r first.
 * - In a series already adjusted for all splits (`split_adjusted`), splits have no effect, and dividends refer to
 *   shares of that basis.
 * - A dividend has no effect if there is no close before it, or if it is not below that close.
 *
 * Doubles represent the factors to about 15 digits, far more than a price has.
 *
 * Source: CRSP, Data Descriptions Guide for stock and indices, "factor to adjust price"; the dividend step is the same
 * as for total-return adjusted closes.
 *
 * Example: a dividend of 1 after a close of 100 gives one step with the price factor 0.99.
 */
export function adjustmentSteps(actions: readonly EffectiveAction[], basis: PriceBasis): AdjustmentStep[] {
  const byDay = Map.groupBy(actions, ({ exDate }) => exDate);
  const days = [...byDay.keys()].sort();
  const steps: AdjustmentStep[] = [];
  let price = 1;
  let volume = 1;
  for (const exDate of days.reverse()) {
    const ofDay = byDay.get(exDate)!;
    const split = basis === 'quoted' ? productOf(ofDay.flatMap(({ ratio }) => ratio ?? [])) : 1;
    price *= dividendFactor(ofDay, split) / split;
    volume *= split;
    steps.push({ exDate, price, volume });
  }
  return steps.reverse();
}

/** Returns the factors for a day. Both factors are 1 on and after the last ex-date. */
export function factorsOn(steps: readonly AdjustmentStep[], day: string): { price: number; volume: number } {
  let low = 0;
  let high = steps.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (steps[middle]!.exDate > day) high = middle;
    else low = middle + 1;
  }
  return steps[low] ?? { price: 1, volume: 1 };
}

/**
 * Significant digits of an adjusted price. A close has fewer digits, and the rounding errors of doubles are
 * smaller than the last digit.
 */
const DIGITS = 10;

/**
 * Multiplies a price or volume by a factor. Returns a plain decimal of at most 10 significant digits.
 *
 * Example: `scaled('100', 0.99)` is `'99'`.
 */
export function scaled(text: string, factor: number): string {
  if (factor === 1) return text;
  const rounded = Number((Number(text) * factor).toPrecision(DIGITS));
  const plain = String(rounded);
  return plain.includes('e') ? withoutTrailing(withoutTrailing(rounded.toFixed(20), '0'), '.') : plain;
}

function productOf(texts: readonly string[]): number {
  return texts.reduce((product, text) => product * Number(text), 1);
}

function dividendFactor(ofDay: readonly EffectiveAction[], split: number): number {
  return ofDay.reduce((product, { amount, closeBefore }) => {
    if (amount === null || closeBefore === null) return product;
    const factor = 1 - Number(amount) / (Number(closeBefore) / split);
    return factor > 0 ? product * factor : product;
  }, 1);
}
