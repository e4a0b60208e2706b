import type { PriceSeries } from './price-series.ts';
import type { StrategyAction } from './strategy-data.ts';

/** The change of a position on its ex-date: new shares for each old share, and cash for each share after the split. */
export type ActionEffect = { day: string; ratio: number; dividend: number };

/** Returns the effects of the actions of a symbol, by day. In a series that is adjusted for splits, splits have no effect. */
export function actionEffects(
  actions: readonly StrategyAction[],
  basis: PriceSeries['basis'],
): ActionEffect[] {
  const byDay = new Map<string, ActionEffect>();
  for (const { exDate: day, ratio, amount } of actions) {
    const effect = byDay.get(day) ?? { day, ratio: 1, dividend: 0 };
    if (ratio !== null && basis === 'quoted') effect.ratio *= ratio;
    if (amount !== null) effect.dividend += amount;
    byDay.set(day, effect);
  }
  return [...byDay.values()].sort((one, other) => (one.day < other.day ? -1 : 1));
}

/**
 * Returns a total return index that begins at the first close and is built forward, so that no value depends on a later
 * day: I(t) = I(t-1) r (C(t) + D) / C(t-1), with the split ratio r and the dividend D for each share after the split of
 * the ex-dates since t-1. Only ratios of the index have meaning.
 *
 * Example: closes 100 and 49 with a split of 2 and a dividend of 1 give 100 and 100.
 */
export function indexOfQuoted(
  { days, columns: { close } }: PriceSeries,
  effects: readonly ActionEffect[],
): Float64Array {
  const index = new Float64Array(close.length).fill(Number.NaN);
  let before = -1;
  let next = 0;
  for (let at = 0; at < close.length; at += 1) {
    let [ratio, dividend] = [1, 0];
    if (Number.isNaN(close[at])) continue;
    for (; next < effects.length && effects[next]!.day <= days[at]!; next += 1) {
      dividend = dividend / effects[next]!.ratio + effects[next]!.dividend;
      ratio *= effects[next]!.ratio;
    }
    index[at] = before < 0 ? close[at]! : (index[before]! * ratio * (close[at]! + dividend)) / close[before]!;
    before = at;
  }
  return index;
}

/**
 * Returns a total return index from adjusted closes. It begins at the first close, so that later actions, which change
 * all adjusted closes together, do not change it.
 *
 * Example: closes 100 and 99 with adjusted closes 50 and 50 give 100 and 100.
 */
export function indexOfAdjusted({ columns: { close }, adjusted }: PriceSeries): Float64Array {
  const first = close.findIndex((price) => !Number.isNaN(price));
  return adjusted.map((price) => (close[first]! * price) / adjusted[first]!);
}
