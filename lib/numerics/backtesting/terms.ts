/** How orders are executed and what they cost. Rates are shares of the traded amount, not basis points. */
export type Terms = {
  /** Cash before the first session, in units of the currency. */
  initial: number;
  /** Share of the value that stays in cash. */
  cashMin: number;
  /**
   * Maximum amount by which cash may be below 0. With 0, purchases are scaled down until cash is not negative.
   * Infinity: no limit.
   */
  creditMax: number;
  /** Interest rate on the cash of the previous session, one rate for each session. */
  cashRate: Float64Array;
  /** Sessions between a decision and its orders. 0 trades at the close of the decision. */
  lag: number;
  wholeShares: boolean;
  /** Whether orders are sized at the price of the decision instead of the price of the trade. */
  sizeAtDecision: boolean;
  /** The largest share of a session's volume that an order may trade, or null. */
  participationMax: number | null;
  /** Commission, spread and taxes as a share of the amount. */
  proportional: number;
  halfSpread: number;
  perShare: number;
  /** The minimum commission of an order. */
  minimum: number;
  /** Coefficient Y of square-root impact, or 0 for none. */
  impact: number;
  buyTax: number;
  dividendWithholding: number;
  /** Annual fee on the value of short positions, and the number of sessions in a year. */
  borrow: number;
  sessionsPerYear: number;
};
