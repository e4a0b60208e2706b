import { valueMinor } from '#lib/core/decimal.ts';
import { minorDigits } from '#lib/core/money.ts';
import type { PortfolioEvent } from './portfolio-event.ts';

/** The gross amount of a trade: the stated one, or quantity times price, rounded half to even. */
export function amountOf({ amountMinor, quantity, price, currency }: PortfolioEvent): bigint {
  if (amountMinor !== null) return amountMinor;
  const digits = minorDigits(currency);
  if (digits === undefined) throw new RangeError(`not a currency: ${JSON.stringify(currency)}`);
  return valueMinor(quantity!, { numerator: price!, denominator: 100_000_000n }, digits);
}

/** The cost of a purchase, fees included. */
export function costOf(event: PortfolioEvent): bigint {
  const { feesMinor } = event;
  return feesMinor === 0n ? amountOf(event) : amountOf(event) + feesMinor;
}

/** The proceeds of a sale, after fees. */
export function proceedsOf(event: PortfolioEvent): bigint {
  const { feesMinor } = event;
  return feesMinor === 0n ? amountOf(event) : amountOf(event) - feesMinor;
}
