/**
 * The rules of a tax regime as data: how a sale is matched with purchases, and which rule defers a loss. The
 * functions of this folder read these data and contain no rules of a specific country.
 */
export type Regime = {
  key: 'united_states' | 'average_cost' | 'united_kingdom';
  /**
   * `lots`: each lot has its own basis. `portfolio` and `tax_entity`: the shares of a symbol in the portfolio
   * or tax entity have one average basis.
   */
  pooling: 'lots' | 'portfolio' | 'tax_entity';
  /** The purchases with which a sale from a pool is matched, in this order. */
  matching: readonly ('same_day' | 'days_after' | 'pool')[];
  /** Number of days after a sale from a pool in which a purchase is matched with the sale. */
  matchingDays: number;
  /**
   * Number of calendar days before and after a loss in which a purchase defers the loss; null if no rule
   * defers losses.
   */
  washDays: number | null;
  /** Whether the regime distinguishes long-term and short-term gains. */
  hasTerms: boolean;
  /** The currency in which gains are taxed; null for any currency. */
  currency: string | null;
  /** The part of a net loss that reduces ordinary income in a year, in minor units. */
  ordinaryLimitMinor: bigint;
};

/**
 * The United States: lots, wash sales and terms.
 * Source: 26 U.S.C. 1012, 1091, 1211(b), 1222, 1223(3).
 */
export const unitedStates: Regime = {
  key: 'united_states',
  pooling: 'lots',
  matching: [],
  matchingDays: 0,
  washDays: 30,
  hasTerms: true,
  currency: 'USD',
  ordinaryLimitMinor: 300_000n,
};

/** A regime with a moving average basis for each symbol in a portfolio. */
export const averageCost: Regime = {
  key: 'average_cost',
  pooling: 'portfolio',
  matching: ['pool'],
  matchingDays: 0,
  washDays: null,
  hasTerms: false,
  currency: null,
  ordinaryLimitMinor: 0n,
};

/**
 * The United Kingdom. A sale is matched with purchases of the same day, then with purchases of the 30 days
 * after it, then with the Section 104 pool.
 * Source: Taxation of Chargeable Gains Act 1992, sections 104, 105, 106A.
 */
export const unitedKingdom: Regime = {
  key: 'united_kingdom',
  pooling: 'tax_entity',
  matching: ['same_day', 'days_after', 'pool'],
  matchingDays: 30,
  washDays: null,
  hasTerms: false,
  currency: 'GBP',
  ordinaryLimitMinor: 0n,
};

export const regimes: Readonly<Record<Regime['key'], Regime>> = {
  united_states: unitedStates,
  average_cost: averageCost,
  united_kingdom: unitedKingdom,
};
