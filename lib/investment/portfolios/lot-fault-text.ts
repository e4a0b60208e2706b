import { formatDecimal } from '#lib/core/decimal.ts';
import type { LotFault } from './lot-fault.ts';

/** Describes the event from which no lots can be derived, for a person. Begins with its code. */
export function describeFault({ code, on, symbol, quantity, held }: LotFault): string {
  const what = symbol === null ? `the event of ${on}` : `the event of ${on} in ${symbol}`;
  switch (code) {
    case 'sale_exceeds_lots':
      return `${code}: on ${on}, ${formatDecimal(quantity ?? 0n)} ${symbol} leave the portfolio, which holds ${formatDecimal(held ?? 0n)}`;
    case 'lot_unknown':
      return `${code}: ${what} names a lot that is not open`;
    case 'event_conflict':
      return `${code}: ${what} has two versions that are known since the same moment`;
    case 'currencies_mixed':
      return `${code}: ${what} has another currency than the lots of the symbol`;
    default:
      return `${code}: ${what} cannot be applied`;
  }
}
