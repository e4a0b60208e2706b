import { minorDigits } from '#lib/core/money.ts';

const MICRO_DIGITS = 6;

/**
 * An amount in millionths of the major unit of a currency, in its minor units, rounded half to even: 15,000 millionths
 * of a euro are 2 cents, and so are 25,000. Throws on what is no currency in force.
 */
export function microToMinor(micro: bigint, currency: string): bigint {
  const digits = minorDigits(currency);
  if (digits === undefined) throw new RangeError(`${currency} is no currency in force`);
  const unit = 10n ** BigInt(MICRO_DIGITS - digits);
  const [whole, rest] = [micro / unit, micro % unit];
  const isUp = rest * 2n > unit || (rest * 2n === unit && whole % 2n === 1n);
  return isUp ? whole + 1n : whole;
}

/** Metered by currency; null is what had no rate. */
export type Metered = { currency: string | null; micro: bigint };

/**
 * What a run cost. Null where nothing was priced, or in several currencies, which are never added up; `isFloor` says
 * that a part of it has no price.
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
