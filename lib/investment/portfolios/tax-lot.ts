/** The part of a lot that one sale used. Amounts are minor units. */
export type ClosedLot = {
  on: string;
  quantity: string;
  proceeds_minor: number;
  gain_minor: number;
  disallowed_minor: number;
};

/** A tax lot as it is returned in JSON: an open slice, or the part of a slice that one sale took. */
export type TaxLot = {
  lot: string;
  symbol: string;
  instrument_uid: string | null;
  currency: string;
  acquired_on: string | null;
  holding_since: string | null;
  term: 'short' | 'long' | null;
  long_from: string | null;
  quantity: string;
  cost_minor: number | null;
  basis_minor: number;
  wash_added_minor: number | null;
  price: string | null;
  price_on: string | null;
  value_minor: number | null;
  gain_minor: number | null;
  gain_bps: number | null;
  closed: ClosedLot | null;
  known_at: string | null;
};

/** Sums of open lots of one currency and term. */
export type TaxLotTotal = {
  currency: string;
  /** Null for pools. */
  term: 'short' | 'long' | null;
  lots: number;
  basis_minor: number;
  /** Value and gain of the lots with a price. */
  value_minor: number;
  gain_minor: number;
  unpriced: number;
};
