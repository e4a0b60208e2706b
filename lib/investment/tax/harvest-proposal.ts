import type { Lot } from '../portfolios/lot.ts';
import type { Price } from '../portfolios/lot-values.ts';
import type { PortfolioTerms } from '../portfolios/portfolio-event.ts';
import type { HarvestPolicy } from './harvest-selection.ts';
import type { Term } from './holding-period.ts';
import type { GainsByTerm, TaxRates } from './netting.ts';
import type { Regime } from './regime.ts';
import type { WashPurchase } from './wash-purchases.ts';

export type HarvestInput = {
  asOf: string;
  /** The portfolio whose lots may be sold. */
  terms: PortfolioTerms;
  /** Open lots of the portfolio. Lots of other portfolios are left out. */
  lots: Iterable<Lot>;
  /** The newest price of each symbol. A price older than 7 days is not used. */
  prices: ReadonlyMap<string, Price>;
  /** Purchases of the wash group in the window, in the order of `washPurchases`. */
  purchases: readonly WashPurchase[];
  rates: TaxRates;
  /** Realised gains of the tax entity in the year so far. */
  realised: GainsByTerm;
  /** Losses carried forward from earlier years, as amounts of at least 0. */
  carriedIn: GainsByTerm;
  policy: HarvestPolicy;
  /** The smallest loss of a lot to sell, in minor units. */
  minimumLossMinor: bigint;
  /** The smallest loss of a lot to sell, in basis points of its basis. */
  minimumLossBps: number;
  /**
   * The smallest net benefit of the sale of a single lot: tax saved this year minus cost. Null for no
   * minimum.
   */
  minimumNetMinor: bigint | null;
  /** The cost of a sale in basis points of its proceeds. */
  costBps: number;
  identical: readonly (readonly string[])[];
  horizon: 'now' | 'year_end';
  /**
   * The tax regime. Default: the United States. A regime without terms or without a wash sale rule is
   * refused.
   */
  regime?: Regime;
  /** The part of a net loss that reduces ordinary income. Default: the limit of the regime. */
  ordinaryLimitMinor?: bigint;
  sameLotIsReplacement?: boolean;
  earlierPurchasesReplace?: boolean;
};

export type HarvestSale = {
  lot: string;
  slice: number;
  symbol: string;
  quantity: bigint;
  proceedsMinor: bigint;
  basisMinor: bigint;
  gainMinor: bigint;
  term: Term;
  washedQuantity: bigint;
  disallowedMinor: bigint;
  costMinor: bigint;
  /** Days until the lot is long-term; null if the lot is long-term. */
  daysToLong: number | null;
};

export type ReplacementAdjustment = {
  portfolio: string | null;
  lot: string | null;
  quantity: bigint;
  basisAddedMinor: bigint;
  daysTacked: number;
};

/**
 * The reasons why a lot, or a part of it, is not sold. `price_currency`: the closes of its symbol are in another
 * currency than the lot.
 */
export const harvestWhy = ['gain', 'below_minimum', 'washed', 'no_price', 'price_currency'] as const;
export type HarvestWhy = (typeof harvestWhy)[number];

export type HeldBack = { quantity: bigint; by: string[] };

export type WashWindowHit = {
  symbol: string;
  /** The symbol and the symbols of identical securities. */
  identical: readonly string[];
  opensOn: string;
  closesOn: string;
  /** The purchases in the window that replace sold shares. */
  purchases: string[];
};

/** Shares that are not sold now, and whose wash sale window ends before the end of the year. */
export type LaterHarvest = {
  lot: string;
  slice: number;
  symbol: string;
  quantity: bigint;
  notBefore: string;
};

export const harvestAssumptions = [
  'earlier_purchases_replace',
  'held_back_shares_are_replaced',
  'linear_rates',
  'no_foreign_exchange',
  'same_lot_is_replacement',
  'tax_exempt_purchase_takes_loss',
] as const;
export type HarvestAssumption = (typeof harvestAssumptions)[number];

export type HarvestProposal = {
  /** Ordered by symbol, purchase date, lot and slice. */
  sales: HarvestSale[];
  /** Shares that are not sold because of replacements, by lot. */
  heldBack: Map<string, HeldBack>;
  /**
   * Reasons by lot. For a slice above 0, the key is the lot, a space and the slice. Every lot that is not
   * sold completely has an entry.
   */
  why: Map<string, HarvestWhy>;
  replacementAdjustments: ReplacementAdjustment[];
  /** The disallowed loss that is added to no basis. */
  lostForEverMinor: bigint;
  recognisedShortMinor: bigint;
  recognisedLongMinor: bigint;
  taxBeforeMinor: bigint;
  taxAfterMinor: bigint;
  savingNowMinor: bigint;
  carriedShortMinor: bigint;
  carriedLongMinor: bigint;
  costMinor: bigint;
  netNowMinor: bigint;
  /**
   * The recognised loss times the long-term rate. If the proceeds are invested again, the basis is lower by
   * the loss. This tax is then due at a later sale.
   */
  deferredMinor: bigint;
  /** Whether the saving does not exceed `deferredMinor`. */
  isDeferralOnly: boolean;
  /** For each symbol, the first date on which a purchase does not replace shares of this harvest. */
  repurchaseNotBefore: Map<string, string>;
  washWindows: WashWindowHit[];
  laterThisYear: LaterHarvest[];
  /** In code-unit order. */
  assumptions: HarvestAssumption[];
};

export type HarvestRefusal =
  | { code: 'currencies_mixed'; currencies: string[] }
  | { code: 'tax_regime_unsupported'; currency: string }
  | { code: 'account_tax_exempt' }
  | { code: 'too_large'; of: 'lots'; observed: number; most: number }
  | { code: 'too_large'; of: 'candidates'; most: number }
  | { code: 'market_history_insufficient'; observed: number; needed: number; symbols: string[] };

export type HarvestOutcome = { ok: true; proposal: HarvestProposal } | { ok: false; refusal: HarvestRefusal };
