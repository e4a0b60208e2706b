import fc from 'fast-check';
import { addDays } from '#lib/core/date.ts';
import { parseDecimal } from '#lib/core/decimal.ts';
import type { PortfolioEvent, PortfolioTerms } from '#lib/investment/portfolios/portfolio-event.ts';

/** Returns the terms of a taxable portfolio in US dollars, with the given changes. */
export function portfolio(terms: Partial<PortfolioTerms> = {}): PortfolioTerms {
  return {
    portfolio: 'main',
    baseCurrency: 'USD',
    accountKind: 'taxable',
    lotRelief: 'fifo',
    taxEntity: 'owner',
    washGroup: 'owner',
    ...terms,
  };
}

/** Converts a decimal number of shares to units of 10^-8 shares. */
export function shares(text: string): bigint {
  return parseDecimal(text)!;
}

type Rest = Partial<Omit<PortfolioEvent, 'type' | 'tradedOn'>>;

/**
 * Returns an event with null in the members that most types of events do not use. By default the reference is
 * the type and the date.
 */
export function event(type: PortfolioEvent['type'], tradedOn: string, rest: Rest = {}): PortfolioEvent {
  return {
    portfolio: 'main',
    reference: `${type} ${tradedOn}`,
    type,
    tradedOn,
    settledOn: null,
    symbol: 'X',
    quantity: null,
    price: null,
    amountMinor: null,
    currency: 'USD',
    feesMinor: 0n,
    lot: null,
    acquiredOn: null,
    basisMinor: null,
    knownAt: `${tradedOn}T12:00:00.000Z`,
    withdrawn: false,
    ...rest,
  };
}

export function buy(
  tradedOn: string,
  quantity: string,
  amountMinor: bigint,
  rest: Rest = {},
): PortfolioEvent {
  return event('buy', tradedOn, { quantity: shares(quantity), amountMinor, ...rest });
}

export function sell(
  tradedOn: string,
  quantity: string,
  amountMinor: bigint,
  rest: Rest = {},
): PortfolioEvent {
  return event('sell', tradedOn, { quantity: shares(quantity), amountMinor, ...rest });
}

const FIRST = '2023-01-01';
const trade = fc.record({
  portfolio: fc.constantFrom('a', 'b', 'ira'),
  symbol: fc.constantFrom('X', 'Y'),
  gap: fc.integer({ min: 0, max: 25 }),
  isSale: fc.boolean(),
  quantity: fc.integer({ min: 1, max: 1_000_000_000 }),
  price: fc.integer({ min: 1, max: 9_999 }),
  fees: fc.constantFrom(0, 7),
});

/**
 * Three portfolios of one wash-sale group: two taxable portfolios, and one portfolio that is exempt from tax.
 */
export const group = [
  portfolio({ portfolio: 'a' }),
  portfolio({ portfolio: 'b', lotRelief: 'hifo' }),
  portfolio({ portfolio: 'ira', accountKind: 'tax_exempt', lotRelief: 'lifo' }),
];

/**
 * Purchases and sales of the portfolios in `group`, in fractions of shares and at most 25 days apart. No sale
 * exceeds the shares held.
 */
export const ledgers: fc.Arbitrary<PortfolioEvent[]> = fc.array(trade, { maxLength: 30 }).map((trades) => {
  const held = new Map<string, number>();
  let date = FIRST;
  return trades.map(({ portfolio: owner, symbol, gap, isSale, quantity, price, fees }, at) => {
    date = addDays(date, gap);
    const key = `${owner} ${symbol}`;
    const before = held.get(key) ?? 0;
    const sold = Math.min(quantity, before);
    const isOut = isSale && sold > 0;
    held.set(key, before + (isOut ? -sold : quantity));
    const size = isOut ? sold : quantity;
    // On each day, purchases are processed before sales. No sale therefore exceeds the shares held.
    return event(isOut ? 'sell' : 'buy', date, {
      portfolio: owner,
      symbol,
      reference: String(at).padStart(4, '0'),
      quantity: BigInt(size),
      amountMinor: BigInt(Math.floor((size / 1e6) * price) + 7),
      feesMinor: BigInt(fees),
    });
  });
});
