import { daysBetween } from '#lib/core/date.ts';
import { divideHalfEven, parseFraction, valueMinor, type Fraction } from '#lib/core/decimal.ts';
import { minorDigits } from '#lib/core/money.ts';
import type { Term } from '../tax/holding-period.ts';
import type { LastClose } from './close.query.ts';
import type { Lot } from './lot.ts';

/**
 * A price as decimal text, its date and its currency. A price without a currency is in the currency of the lots of its
 * symbol.
 */
export type Price = { price: string; on: string; currency?: string | undefined };

/**
 * Returns the prices of closes by symbol. A close whose currency is unknown is assumed to be in the base currency of
 * the portfolio.
 */
export function pricesBySymbol(
  closes: readonly LastClose[],
  { baseCurrency }: { baseCurrency: string },
): Map<string, Price> {
  return new Map(
    closes.map(({ symbol, on, price, currency }) => [
      symbol,
      { on, price, currency: currency === null ? baseCurrency : currency },
    ]),
  );
}

/** The age in days beyond which a price is not used. */
export const PRICE_DAYS_MAX = 7;

export type ValuedLot = Lot & {
  term: Term;
  price: string | null;
  priceOn: string | null;
  /** Quantity times price in minor units, rounded half to even; null if there is no current price. */
  valueMinor: bigint | null;
  gainMinor: bigint | null;
  /** The gain in basis points of the basis, rounded half to even; null if the basis is 0. */
  gainBps: bigint | null;
  /** Whether the newest price is more than 7 days old. */
  isPriceStale: boolean;
  /** The currency of the price, if it is another one than that of the lot; otherwise null. */
  otherCurrency: string | null;
};

/**
 * Values each lot separately at the prices of a day. A price that is missing, later than the day, or more
 * than 7 days older, or in another currency than the lot, gives no value. Throws a `RangeError` for a price that is not decimal text.
 */
export function valueLots(
  lots: Iterable<Lot>,
  { prices, asOf }: { prices: ReadonlyMap<string, Price>; asOf: string },
): ValuedLot[] {
  const priceOf = readerOfPrices(prices, asOf);
  return Array.from(lots, (lot) => {
    const { price, isStale, otherCurrency, fraction } = priceOf(lot.symbol, lot.currency);
    const value = fraction === null ? null : valueOf(lot, lot.quantity, fraction);
    const gain = value === null ? null : value - lot.basisMinor;
    return {
      ...lot,
      term: asOf >= lot.longFrom ? 'long' : 'short',
      price: fraction === null ? null : price!.price,
      priceOn: fraction === null ? null : price!.on,
      valueMinor: value,
      gainMinor: gain,
      gainBps: gain === null || lot.basisMinor === 0n ? null : divideHalfEven(gain * 10_000n, lot.basisMinor),
      isPriceStale: isStale,
      otherCurrency,
    };
  });
}

/** Returns the value of some shares of a lot in minor units, rounded half to even. */
export function valueOf({ currency }: Pick<Lot, 'currency'>, quantity: bigint, price: Fraction): bigint {
  const digits = minorDigits(currency);
  if (digits === undefined) throw new RangeError(`not a currency: ${JSON.stringify(currency)}`);
  return valueMinor(quantity, price, digits);
}

export type ReadPrice = {
  price: Price | undefined;
  isStale: boolean;
  otherCurrency: string | null;
  fraction: Fraction | null;
};

/**
 * Returns a function that reads the price of a symbol for lots of a currency. Each price is parsed once. `fraction` is
 * null if the price is not current, or is in another currency.
 */
export function readerOfPrices(
  prices: ReadonlyMap<string, Price>,
  asOf: string,
): (symbol: string, currency: string) => ReadPrice {
  const read = new Map<string, ReadPrice>();
  return (symbol, currency) => {
    let found = read.get(symbol);
    if (!found) {
      found = readPrice(prices.get(symbol), asOf);
      read.set(symbol, found);
    }
    const quoted = found.price?.currency;
    if (quoted === undefined || quoted === currency) return found;
    return { ...found, otherCurrency: quoted, fraction: null };
  };
}

function readPrice(price: Price | undefined, asOf: string): ReadPrice {
  if (!price || price.on > asOf)
    return { price: undefined, isStale: false, otherCurrency: null, fraction: null };
  if (daysBetween(price.on, asOf) > PRICE_DAYS_MAX)
    return { price, isStale: true, otherCurrency: null, fraction: null };
  const fraction = parseFraction(price.price);
  if (!fraction) throw new RangeError(`not a price: ${JSON.stringify(price.price)}`);
  return { price, isStale: false, otherCurrency: null, fraction };
}
