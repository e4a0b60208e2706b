import { ONE, valueMinor } from '#lib/core/decimal.ts';
import { minorDigits } from '#lib/core/money.ts';
import type { PortfolioEvent } from './portfolio-event.ts';

/** Returns the gross amount of a trade: the stated amount, or quantity times price, rounded half to even. */
export function amountOf({ amountMinor, quantity, price, currency }: PortfolioEvent): bigint {
  if (amountMinor !== null) return amountMinor;
  const digits = minorDigits(currency);
  if (digits === undefined) throw new RangeError(`not a currency: ${JSON.stringify(currency)}`);
  return valueMinor(quantity!, { numerator: price!, denominator: ONE }, digits);
}

/** Returns the cost of a purchase, including fees. */
export function costOf(event: PortfolioEvent): bigint {
  const { feesMinor } = event;
  return feesMinor === 0n ? amountOf(event) : amountOf(event) + feesMinor;
}

/** Returns the proceeds of a sale, after fees. */
export function proceedsOf(event: PortfolioEvent): bigint {
  const { feesMinor } = event;
  return feesMinor === 0n ? amountOf(event) : amountOf(event) - feesMinor;
}
