import { parseDecimal } from '#lib/core/decimal.ts';
import type {
  LotRelief,
  PortfolioEvent,
  PortfolioTerms,
} from '#lib/investment/portfolios/portfolio-event.ts';
import { GoldenFileError } from './report.ts';

export const PORTFOLIO = 'main';

/** Returns the terms of a taxable portfolio with the given method of lot relief. */
export function termsOf(lotRelief: LotRelief): PortfolioTerms {
  return {
    portfolio: PORTFOLIO,
    baseCurrency: 'USD',
    accountKind: 'taxable',
    lotRelief,
    taxEntity: 'owner',
    washGroup: 'owner',
  };
}

/** Returns an event in US dollars without fees. */
export function eventOf(
  members: Pick<PortfolioEvent, 'type' | 'reference' | 'tradedOn' | 'symbol' | 'quantity'> &
    Partial<PortfolioEvent>,
): PortfolioEvent {
  return {
    portfolio: PORTFOLIO,
    settledOn: null,
    price: null,
    amountMinor: null,
    currency: 'USD',
    feesMinor: 0n,
    lot: null,
    acquiredOn: null,
    basisMinor: null,
    knownAt: `${members.tradedOn}T00:00:00.000Z`,
    withdrawn: false,
    ...members,
  };
}

/** Returns a reference that sorts events of one day in the order of the file. */
export function referenceOf(index: number): string {
  return String(index).padStart(6, '0');
}

/**
 * Reads a quantity of the file: a number of shares or decimal text. Throws a `GoldenFileError` on any other
 * value.
 */
export function sharesOf(value: unknown, name: string): bigint {
  const shares =
    typeof value === 'number' || typeof value === 'string' ? parseDecimal(String(value)) : undefined;
  if (shares === undefined) throw new GoldenFileError(`${name} is not a quantity`);
  return shares;
}
