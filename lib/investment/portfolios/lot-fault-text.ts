import { formatDecimal } from '#lib/core/decimal.ts';
import { SHARES_MAX } from './lot-book.ts';
import type { LotFault } from './lot-fault.ts';

/**
 * Describes, for a person, the event from which no lots can be derived. The text begins with the code of the
 * fault.
 */
export function describeFault({ code, on, symbol, quantity, held }: LotFault): string {
  const what = symbol === null ? `the event of ${on}` : `the event of ${on} in ${symbol}`;
  switch (code) {
    case 'sale_exceeds_lots':
      return `${code}: on ${on}, ${formatDecimal(quantity ?? 0n)} ${symbol} leave the portfolio, which holds ${formatDecimal(held ?? 0n)}`;
    case 'position_too_large':
      return `${code}: on ${on}, the position in ${symbol} exceeds ${formatDecimal(SHARES_MAX)} shares`;
    case 'amounts_too_large':
      return `${code}: with ${what}, the amounts of the portfolio and its related portfolios exceed 2^62 minor units together`;
    case 'lot_unknown':
      return `${code}: ${what} refers to a lot that the portfolio does not hold`;
    case 'event_conflict':
      return `${code}: ${what} has two versions that became known at the same time`;
    case 'currencies_mixed':
      return `${code}: ${what} has a different currency from the lots of the symbol`;
    default:
      return `${code}: ${what} cannot be applied`;
  }
}
