import table from './currencies.json' with { type: 'json' };
import { withoutTrailing } from './without-trailing.ts';

const digits = new Map(Object.entries(table.minor_digits));

/** The greatest amount in JSON. JSON integers are exact up to 2^53 - 1. */
export const MINOR_MAX = 9_007_199_254_740_991n;
/** The number of significant digits that a double preserves. */
const SIGNIFICANT_MAX = 15;

/**
 * Returns the number of decimals of a currency (ISO 4217 minor unit). Returns undefined for an unknown or withdrawn
 * code, a fund or a metal.
 */
export function minorDigits(currency: string): number | undefined {
  return digits.get(currency);
}

/**
 * Returns the number of minor units in one unit of a currency. Throws a `RangeError` for an unknown currency. Example:
 * 100 for `USD`.
 */
export function minorUnitsOf(currency: string): number {
  const places = minorDigits(currency);
  if (places === undefined) throw new RangeError(`not a currency: ${JSON.stringify(currency)}`);
  return Number(10n ** BigInt(places));
}

export const currencies: readonly string[] = [...digits.keys()];

export type AmountFault = 'invalid_amount' | 'amount_precision' | 'amount_range';
export type Amount = { ok: true; minor: bigint } | { ok: false; code: AmountFault };

/**
 * Parses an amount in major units, given as the decimal text that was sent, into minor units. The text may have at most
 * the decimals of its currency and 15 significant digits. Trailing zeros are not counted. Example: `100.5` with 2
 * decimals is 10050n.
 */
export function parseMajor(text: string, fraction: number): Amount {
  const [, sign, whole = '', decimals = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,4}))?$/.exec(text) ?? [];
  if (whole === '') return { ok: false, code: 'invalid_amount' };
  // The amount in minor units is `significant` times 10^`shift`, where `significant` has no leading and no trailing
  // zeros.
  const all = (whole + decimals).replace(/^0+/, '');
  const significant = withoutTrailing(all, '0');
  if (significant === '') return { ok: true, minor: 0n };
  const shift = Number(exponent) - decimals.length + (all.length - significant.length) + fraction;
  if (shift < 0) return { ok: false, code: 'amount_precision' };
  if (significant.length > SIGNIFICANT_MAX || significant.length + shift > 17) {
    return { ok: false, code: 'amount_range' };
  }
  const minor = BigInt(significant) * 10n ** BigInt(shift);
  if (minor > MINOR_MAX) return { ok: false, code: 'amount_range' };
  return { ok: true, minor: sign === '-' ? -minor : minor };
}

/** Returns the absolute value of an amount. */
export function absolute(amount: bigint): bigint {
  return amount < 0n ? -amount : amount;
}

/** Formats an amount in minor units as decimal text. Example: `10050n` with 2 decimals is `100.50`. */
export function formatMajor(minor: bigint, fraction: number): string {
  const negative = minor < 0n;
  const text = (negative ? -minor : minor).toString().padStart(fraction + 1, '0');
  const at = text.length - fraction;
  const decimal = fraction === 0 ? text : `${text.slice(0, at)}.${text.slice(at)}`;
  return negative ? `-${decimal}` : decimal;
}

/** Converts a statistic in minor units to an amount, rounded half to even. Examples: 2.5 is 2n, 3.5 is 4n. */
export function toMinor(statistic: number): Amount {
  const below = Math.floor(statistic);
  if (!Number.isSafeInteger(below) || below === Number.MAX_SAFE_INTEGER)
    return { ok: false, code: 'amount_range' };
  const rest = statistic - below;
  const isUp = rest > 0.5 || (rest === 0.5 && below % 2 !== 0);
  return { ok: true, minor: BigInt(isUp ? below + 1 : below) };
}

/** Whether an amount can be sent as an exact JSON integer. */
export function fitsTheWire(minor: bigint): boolean {
  return minor <= MINOR_MAX && minor >= -MINOR_MAX;
}

/** Converts an amount to a safe integer for JSON. Throws if digits would be lost. Such an amount is never stored. */
export function wireMinor(minor: bigint): number {
  if (!fitsTheWire(minor)) throw new RangeError('an amount does not fit into a JSON integer');
  return Number(minor);
}
