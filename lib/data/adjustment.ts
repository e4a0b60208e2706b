import { withoutTrailing } from '#lib/core/without-trailing.ts';
import type { PriceBasis } from './dataset.entity.ts';
import type { ActionType } from './corporate-action.ts';

/**
 * An action that has taken effect. `closeBefore` is the last close before its ex date, in the basis of the series; null
 * where there is none.
 */
export type EffectiveAction = {
  exDate: string;
  type: ActionType;
  amount: string | null;
  ratio: string | null;
  closeBefore: string | null;
};

/** From `exDate` on a price is as it is; one before it is multiplied by `price`, a volume by `volume`. */
export type AdjustmentStep = { exDate: string; price: number; volume: number };

/**
 * The cumulative factors of splits and cash dividends, in the order of their ex dates: a step holds for the days before
 * its ex date, from the ex date of the step before on.
 *
 * A split of ratio r multiplies earlier prices by 1/r and earlier volumes by r. A dividend d multiplies earlier prices
 * by 1 - d/p, where p is the close before the ex date. Of a day with both, the dividend is of the shares after the split,
 * so p is divided by r first. In a series that is divided by all splits already (`split_adjusted`) splits change
 * nothing, and dividends are of the shares of that basis. A dividend without a close before it, or not below it, changes
 * nothing. Doubles hold it to about 15 digits, far beyond the digits of a price.
 *
 * Source: CRSP, Data Descriptions Guide for stock and indices, "factor to adjust price"; the dividend step is that of
 * total-return adjusted closes.
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

/** The factors of a day; both 1 on and after the last ex date. */
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

/** Digits of an adjusted price: more than any close has, and fewer than rounding of doubles disturbs. */
const DIGITS = 10;

/**
 * A price or volume times a factor, as a plain decimal of at most 10 significant digits.
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
