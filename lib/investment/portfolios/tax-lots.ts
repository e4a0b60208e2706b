/**
 * One tax lot of a portfolio, open or closed, in the form of the wire. A lot that is sold in parts is one row for each
 * sale, and one for the rest.
 */
export type TaxLotRow = {
  lot: string;
  symbol: string;
  instrument_uid: string | null;
  currency: string;
  acquired_on: string;
  holding_since: string;
  term: 'short' | 'long';
  long_from: string;
  quantity: string;
  cost_minor: number;
  basis_minor: number;
  wash_added_minor: number;
  price: string | null;
  price_on: string | null;
  value_minor: number | null;
  gain_minor: number | null;
  gain_bps: number | null;
  closed: ClosedLot | null;
  known_at: string;
};

export type ClosedLot = {
  on: string;
  quantity: string;
  proceeds_minor: number;
  gain_minor: number;
  disallowed_minor: number;
};

export type TaxLotFilters = {
  symbol?: string | undefined;
  term?: 'short' | 'long' | undefined;
  state: 'open' | 'closed' | 'all';
};
