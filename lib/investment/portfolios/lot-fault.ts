import type { EventFault } from './event-fault.ts';

/** The first event of a portfolio from which no lots can be derived. */
export type LotFault = {
  code:
    | 'sale_exceeds_lots'
    | 'lot_unknown'
    | 'event_conflict'
    | 'currencies_mixed'
    | 'portfolio_unknown'
    | EventFault['code'];
  portfolio: string;
  reference: string;
  on: string;
  symbol: string | null;
  /** Of `sale_exceeds_lots`: shares sold and shares held, times 10^8. */
  quantity?: bigint;
  held?: bigint;
};
