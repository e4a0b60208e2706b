import type { EventFault } from './event-fault.ts';

/** The first event of a portfolio from which no lots can be derived. */
export type LotFault = {
  code:
    | 'sale_exceeds_lots'
    | 'position_too_large'
    | 'amounts_too_large'
    | 'lot_unknown'
    | 'event_conflict'
    | 'currencies_mixed'
    | 'portfolio_unknown'
    | EventFault['code'];
  portfolio: string;
  /** The event. For a split that is not an event: the last purchase of the position. */
  reference: string;
  /** The day of the event or of the split. */
  on: string;
  symbol: string | null;
  /** For `sale_exceeds_lots`: number of shares sold and number of shares held, times 10^8. */
  quantity?: bigint;
  held?: bigint;
};
