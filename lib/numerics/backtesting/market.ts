/**
 * The market of a backtest: T sessions by K symbols. All matrices are T-by-K and row-major, so the value of symbol k in
 * session t is at `t * K + k`.
 */
export type Market = {
  sessions: number;
  symbols: number;
  /** Closing prices, by which positions are valued. NaN where no price was observed. */
  close: Float64Array;
  /** Prices at which orders are filled: the closes, or the opening prices. NaN where orders cannot be filled. */
  trade: Float64Array;
  /** Shares traded in the session, or null if no volume is needed. NaN where the volume is unknown. */
  volume: Float64Array | null;
  /** Standard deviation of one-session returns, for market impact, or null. NaN where it is unknown. */
  volatility: Float64Array | null;
  /** Actions in the order of their sessions. They are applied before the orders of their session. */
  actions: readonly MarketAction[];
};

/** A corporate action, whose ex date is the day of the session `session`. */
export type MarketAction = { session: number; symbol: number } &
  /**
   * Multiplies the position by `ratio`. With whole shares, a fraction of a share is paid at the price of the session.
   */
  (
    | { type: 'split'; ratio: number }
    /** Pays `amount` in cash for each share held after the splits of the session. */
    | { type: 'dividend'; amount: number }
    /** Ends the symbol: the position becomes cash at the last close, less the share `loss`. */
    | { type: 'exit'; loss: number }
  );
