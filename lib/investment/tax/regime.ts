/**
 * A tax regime as data: what a sale is set against, and which rule defers a loss. The functions of this folder read
 * these rows and name no country.
 */
export type Regime = {
  key: 'united_states' | 'average_cost' | 'united_kingdom';
  /** `lots`: each lot keeps its basis. `portfolio`, `tax_entity`: one average basis of a symbol in that scope. */
  pooling: 'lots' | 'portfolio' | 'tax_entity';
  /** The purchases that a pooled sale is set against, in this order. */
  matching: readonly ('same_day' | 'days_after' | 'pool')[];
  /** Days after a pooled sale in which a purchase is matched with it. */
  matchingDays: number;
  /** Calendar days before and after a loss in which a purchase defers it; null where no rule does. */
  washDays: number | null;
  /** Whether a gain is long-term or short-term. */
  hasTerms: boolean;
  /** The currency in which gains are taxed; null for any. */
  currency: string | null;
  /** The part of a net loss that reduces ordinary income in a year, in minor units. */
  ordinaryLimitMinor: bigint;
};

/** Lots, wash sales, terms. Source: 26 U.S.C. 1012, 1091, 1211(b), 1222, 1223(3). */
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

/** A moving average of the basis of a symbol in a portfolio. */
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
 * Purchases of the same day, purchases of the 30 days after the sale, then the Section 104 pool. Source: Taxation of
 * Chargeable Gains Act 1992, sections 104, 105, 106A.
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
