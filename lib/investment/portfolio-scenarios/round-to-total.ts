import { toMinor, wireMinor } from '#lib/core/money.ts';

/** Returns a statistic in minor units, rounded half to even; null if a JSON integer cannot hold it. */
export function minorOf(statistic: number): number | null {
  const amount = toMinor(statistic);
  return amount.ok ? wireMinor(amount.minor) : null;
}

/**
 * Rounds amounts so that their sum is the rounded total. Each amount is rounded down, and the remaining units
 * are added to the amounts with the largest fractions; of equal fractions, to the earlier amounts. Returns
 * null if the amounts cannot be rounded to the total by less than one unit each, or if they are too large.
 *
 * Example: the amounts [1.5, 1.5, 1] with the total 4 are rounded to [2, 1, 1].
 */
export function roundToTotal(amounts: ArrayLike<number>, total: number): number[] | null {
  const wanted = minorOf(total);
  const floors = Array.from(amounts, (amount) => Math.floor(amount));
  const sum = floors.reduce((each, other) => each + other, 0);
  if (wanted === null || !Number.isSafeInteger(sum) || !floors.every(Number.isSafeInteger)) return null;
  const left = wanted - sum;
  if (left < 0 || left > floors.length) return null;
  const order = [...floors.keys()].sort(
    (one, other) => amounts[other]! - floors[other]! - (amounts[one]! - floors[one]!) || one - other,
  );
  for (const place of order.slice(0, left)) floors[place]! += 1;
  return floors;
}
