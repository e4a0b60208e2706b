import { toMinor, wireMinor } from '#lib/core/money.ts';

/** Returns a statistic in minor units, rounded half to even; null if a JSON integer cannot hold it. */
export function minorOf(statistic: number): number | null {
  const amount = toMinor(statistic);
  return amount.ok ? wireMinor(amount.minor) : null;
}

/**
 * Rounds amounts so that they sum to the rounded total: each is rounded down, and the units that are left go to the
 * largest fractions, the earlier of equals first. Where amounts do not sum to the total within one unit each, or are
 * too large, it is null.
 *
 * Example: [1.5, 1.5, 1] with the total 4 are [2, 1, 1].
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
