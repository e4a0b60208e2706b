/** The portfolio at the close of a session, as input of a decision. */
export type PortfolioView = {
  value: number;
  cash: number;
  /** Weights of the K symbols at the close: position times price, divided by value. Valid during the call only. */
  weights: Float64Array;
  /** The values of the portfolio at the closes up to this session. Read-only; valid during the call only. */
  curve: Float64Array;
};

/**
 * Decides at the close of a session. Returns the target weights of the K symbols, or null to trade nothing. A weight
 * that is NaN leaves the position of the symbol unchanged. A decision must depend only on data up to the session.
 */
export type Decide = (session: number, view: PortfolioView) => Float64Array | null;
