/** The outcome of a backtest. Arrays with one entry for each session have T entries. */
export type Ledger = {
  /**
   * Value, cash, sum of absolute weights and sum of weights at the close of the session, after the orders of the
   * session.
   */
  value: Float64Array;
  cash: Float64Array;
  gross: Float64Array;
  net: Float64Array;
  /**
   * The first `ORDERS_MAX` filled orders, ordered by session, then by symbol. Empty if `detail` is false.
   */
  orders: Order[];
  /**
   * For each session with orders: the shares held after the orders, one number for each of the K symbols. The list ends with
   * the session that completes `HOLDINGS_MAX` holdings. Empty if `detail` is false.
   */
  holdings: { session: number; quantity: Float64Array }[];
  /** Shares held at the end. */
  positions: Float64Array;
  costs: Costs;
  /** Number of filled orders, and the sum of their absolute amounts without costs. */
  filled: number;
  traded: number;
  /**
   * `lapsed`: number of orders that were not filled because no price or volume was observed. `capped`: number of orders
   * that were reduced because of the volume.
   */
  lapsed: number;
  capped: number;
  /** Cash dividends after withholding, and interest on cash. */
  dividends: number;
  interest: number;
  /** The session in which the value fell to 0 or below, or null. From then on, the curve is 0. */
  bankruptAt: number | null;
};

/** The maximum number of orders that a ledger lists. */
export const ORDERS_MAX = 200_000;
/** The minimum number of holdings, one for each symbol and session, after which a ledger lists no further sessions. */
export const HOLDINGS_MAX = 200_000;

export type Costs = {
  commission: number;
  spread: number;
  impact: number;
  tax: number;
  borrow: number;
  withholding: number;
};

/** A filled order. `quantity` is negative for sales. `amount` is quantity times price, without costs. */
export type Order = {
  /** Session of the decision and session of the trade. */
  decided: number;
  session: number;
  symbol: number;
  quantity: number;
  price: number;
  amount: number;
  cost: number;
};
