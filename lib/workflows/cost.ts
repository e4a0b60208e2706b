import { minorDigits } from '#lib/core/money.ts';

const MICRO_DIGITS = 6;

/**
 * Converts millionths of a currency's major unit into minor units, rounded half to even. Examples: 15,000 millionths of
 * a euro are 2 cents, and 25,000 are also 2 cents. Throws if the currency is unknown or withdrawn.
 */
export function microToMinor(micro: bigint, currency: string): bigint {
  const digits = minorDigits(currency);
  if (digits === undefined) throw new RangeError(`${currency} is not an active ISO 4217 currency`);
  const unit = 10n ** BigInt(MICRO_DIGITS - digits);
  const [whole, rest] = [micro / unit, micro % unit];
  const isUp = rest * 2n > unit || (rest * 2n === unit && whole % 2n === 1n);
  return isUp ? whole + 1n : whole;
}

/** Metered costs in one currency, in millionths. A null currency means usage without a rate. */
export type Metered = { currency: string | null; micro: bigint };

/**
 * Returns the cost of a run. Returns null if no usage has a price, or if the costs are in several currencies, because
 * costs in different currencies are never added. `isFloor` means that a part of the usage has no price, so the cost is
 * a lower bound.
 */
export function costOf(
  metered: readonly Metered[],
): { currency: string; micro: bigint; minor: bigint; isFloor: boolean } | null {
  const priced = metered.flatMap(({ currency, micro }) => (currency === null ? [] : [{ currency, micro }]));
  const [only, ...others] = priced;
  if (!only || others.length > 0) return null;
  const isFloor = priced.length < metered.length;
  return { ...only, minor: microToMinor(only.micro, only.currency), isFloor };
}
