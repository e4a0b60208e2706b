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
  /** The newest price of each symbol. One older than 7 days does not count. */
  prices: ReadonlyMap<string, Price>;
  /** Purchases of the wash group in the window, in the order of `washPurchases`. */
  purchases: readonly WashPurchase[];
  rates: TaxRates;
  /** Gains of the year so far over the tax entity. */
  realised: GainsByTerm;
  /** Losses carried from earlier years, 0 or above. */
  carriedIn: GainsByTerm;
  policy: HarvestPolicy;
  /** The smallest loss of a lot to sell, in minor units. */
  minimumLossMinor: bigint;
  /** The smallest loss of a lot to sell, in basis points of its basis. */
  minimumLossBps: number;
  /** The smallest net benefit of a lot by itself: tax saved this year minus cost. Null for no minimum. */
  minimumNetMinor: bigint | null;
  /** The cost of a sale in basis points of its proceeds. */
  costBps: number;
  identical: readonly (readonly string[])[];
  horizon: 'now' | 'year_end';
  /** The regime; the United States by default. Another one without terms or a wash rule is refused. */
  regime?: Regime;
  /** The loss that reduces ordinary income; that of the regime by default. */
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
  /** Days until the lot is long-term; null if it is. */
  daysToLong: number | null;
};

export type ReplacementAdjustment = {
  portfolio: string | null;
  lot: string | null;
  quantity: bigint;
  basisAddedMinor: bigint;
  daysTacked: number;
};

/** The reason why a lot, or the rest of it, is not sold. */
export type HarvestWhy = 'gain' | 'below_minimum' | 'washed' | 'no_price';

export type HeldBack = { quantity: bigint; by: string[] };

export type WashWindowHit = {
  symbol: string;
  /** The symbol and those identical to it. */
  identical: readonly string[];
  opensOn: string;
  closesOn: string;
  /** The purchases in the window that replace shares. */
  purchases: string[];
};

/** Shares held back now whose window closes before the end of the year. */
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
  /** By lot. */
  heldBack: Map<string, HeldBack>;
  /** By lot, with the slice after a space where it is above 0. Every lot that is not sold whole has an entry. */
  why: Map<string, HarvestWhy>;
  replacementAdjustments: ReplacementAdjustment[];
  /** The disallowed loss that no basis receives. */
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
   * The recognised loss at the long-term rate: the tax that comes due later if the proceeds are invested again, as
   * the basis falls by the loss.
   */
  deferredMinor: bigint;
  /** Whether the saving does not exceed `deferredMinor`. */
  isDeferralOnly: boolean;
  /** By symbol: the first date on which a purchase replaces no shares of this harvest. */
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
  | { code: 'too_large'; observed: number; most: number }
  | { code: 'market_history_insufficient'; observed: number; needed: number; symbols: string[] };

export type HarvestOutcome = { ok: true; proposal: HarvestProposal } | { ok: false; refusal: HarvestRefusal };
