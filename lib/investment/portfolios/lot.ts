import type { Term } from '../tax/holding-period.ts';

/**
 * - **lot**: shares of one purchase with one basis.
 * - **slice**: a part of a lot with a basis or a holding period of its own, because a wash sale changed it.
 * - **purchase**: all slices of one lot, open or sold.
 * - **disposal**: the part of one slice that one sale took.
 */
export type Lot = {
  portfolio: string;
  /** The reference of the purchase or transfer that brought the shares. */
  reference: string;
  lot: string;
  /** 0 for the lot itself, above 0 for what wash sales split from it. */
  slice: number;
  symbol: string;
  currency: string;
  acquiredOn: string;
  /** The start of the holding period; before `acquiredOn` where a wash sale added days. */
  holdingSince: string;
  /** The first date on which a sale is long-term. */
  longFrom: string;
  /** Shares times 10^8, splits applied. */
  quantity: bigint;
  /** The price paid, fees included. */
  costMinor: bigint;
  /** The cost, plus losses that wash sales added, minus capital that was returned. */
  basisMinor: bigint;
  washAddedMinor: bigint;
  /** Whether the shares replaced others in a wash sale. They replace no further ones. */
  isReplacement: boolean;
  knownAt: string;
};

export type WashMatch = {
  /** The portfolio and the lot of the replacement shares. */
  portfolio: string;
  lot: string;
  quantity: bigint;
  disallowedMinor: bigint;
  /** Whether no basis received the loss, because the replacement is in a tax-exempt account. */
  isLost: boolean;
};

export type Disposal = {
  readonly portfolio: string;
  /** The reference of the sale. */
  readonly reference: string;
  readonly lot: string;
  readonly slice: number;
  readonly symbol: string;
  readonly currency: string;
  readonly acquiredOn: string;
  readonly holdingSince: string;
  readonly soldOn: string;
  readonly term: Term;
  /** Shares times 10^8; 0 where capital was returned above the basis. */
  readonly quantity: bigint;
  readonly proceedsMinor: bigint;
  readonly basisMinor: bigint;
  /** Proceeds minus basis. */
  readonly gainMinor: bigint;
  /** The part of the loss that wash sales disallow, 0 or above. */
  readonly disallowedMinor: bigint;
  /** The part of `disallowedMinor` that no basis received. */
  readonly lostMinor: bigint;
  readonly matches: readonly WashMatch[];
  readonly knownAt: string;
};

/** Shares that left by a transfer, with the basis that went with them. */
export type Departure = {
  portfolio: string;
  reference: string;
  lot: string;
  slice: number;
  symbol: string;
  currency: string;
  on: string;
  acquiredOn: string;
  holdingSince: string;
  quantity: bigint;
  basisMinor: bigint;
};

/** The gain or loss that counts for tax. */
export function recognisedMinor({
  gainMinor,
  disallowedMinor,
}: Pick<Disposal, 'gainMinor' | 'disallowedMinor'>): bigint {
  return gainMinor + disallowedMinor;
}
