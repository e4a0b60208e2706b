/**
 * The append-only record of a portfolio. An **event** describes a change of a portfolio on a date. A
 * **version** of an event is one row: a later row with the same portfolio and reference is a correction,
 * known from its `knownAt`. Lots, positions and cash are derived from events and are not stored.
 */

export const eventTypes = [
  'buy',
  'sell',
  'transfer_in',
  'transfer_out',
  'dividend',
  'reinvest',
  'interest',
  'fee',
  'deposit',
  'withdraw',
  'return_of_capital',
  'split_override',
] as const;
export type EventType = (typeof eventTypes)[number];

/**
 * The methods by which a sale chooses its lots if the event names no lots. Under `specific`, such a sale uses
 * `fifo`.
 */
export const lotReliefs = ['fifo', 'lifo', 'hifo', 'lofo', 'min_tax', 'specific'] as const;
export type LotRelief = (typeof lotReliefs)[number];

export const accountKinds = ['taxable', 'tax_exempt'] as const;
export type AccountKind = (typeof accountKinds)[number];

/**
 * One version of an event. Quantities and prices are decimals times 10^8, amounts are minor units of `currency`.
 * Quantities are above 0 in every type, also in a sale. Amounts are gross of fees: fees raise the basis of a
 * purchase and reduce the proceeds of a sale.
 *
 * | Type              | Members                                                             | Cash           |
 * | ----------------- | ------------------------------------------------------------------- | -------------- |
 * | buy               | symbol, quantity, amount or price; `lot` names the new lot          | -amount - fees |
 * | sell              | symbol, quantity, amount or price; `lot` names the lots to sell     | +amount - fees |
 * | transfer_in       | symbol, quantity, acquiredOn, basis; `lot` names the new lot        | -fees          |
 * | transfer_out      | symbol, quantity; `lot` names the lots that leave                   | -fees          |
 * | dividend          | amount; symbol of the payer                                         | +amount - fees |
 * | reinvest          | symbol, quantity, amount or price; `lot` names the new lot          | -fees          |
 * | interest          | amount, below 0 if it is charged                                    | +amount - fees |
 * | fee, withdraw     | amount                                                              | -amount - fees |
 * | deposit           | amount                                                              | +amount - fees |
 * | return_of_capital | symbol, amount: reduces the basis of the open lots                  | +amount - fees |
 * | split_override    | symbol, quantity shares after the split for `price` shares before   | -fees          |
 */
export type PortfolioEvent = {
  /** The key of the portfolio. */
  portfolio: string;
  /** The reference of the event in its source, unique in the portfolio. */
  reference: string;
  type: EventType;
  /**
   * The trade date, `YYYY-MM-DD`, on which lots, gains and cash are recorded. For `split_override`, the ex
   * date.
   */
  tradedOn: string;
  settledOn: string | null;
  symbol: string | null;
  quantity: bigint | null;
  price: bigint | null;
  /** Gross amount; null if the amount is quantity times price, rounded half to even. */
  amountMinor: bigint | null;
  currency: string;
  /** Fees, at least 0. */
  feesMinor: bigint;
  /**
   * The name of a new lot (default: the reference). For a sale or transfer: the names of the lots, separated
   * by spaces, in the order in which they are used.
   */
  lot: string | null;
  /** The date on which a transferred lot was acquired. */
  acquiredOn: string | null;
  /** The basis of a transferred lot. */
  basisMinor: bigint | null;
  /**
   * The instant from which this version is known, ISO 8601 in UTC with `Z`, so that texts can be compared
   * like instants.
   */
  knownAt: string;
  /** Whether this version withdraws the event. The other members of such a version are ignored. */
  withdrawn: boolean;
};

/**
 * One version of a split in the corporate-actions dataset. `ratio` is decimal text: shares after the split for one
 * share before it. A later version of the same symbol and ex date is a correction.
 */
export type SplitAction = {
  symbol: string;
  exOn: string;
  ratio: string;
  knownAt: string;
  withdrawn: boolean;
};

/** The terms of a portfolio on which its lots depend. */
export type PortfolioTerms = {
  portfolio: string;
  baseCurrency: string;
  accountKind: AccountKind;
  lotRelief: LotRelief;
  /** The entity that is taxed on the gains. */
  taxEntity: string;
  /**
   * The wash group: portfolios in which a purchase can replace shares that another portfolio of the group
   * sells at a loss.
   */
  washGroup: string;
};
