import type { Term } from '../tax/holding-period.ts';

/**
 * - **lot**: the shares that one purchase or transfer added.
 * - **slice**: shares of one lot with the same basis and holding period. A wash sale that changes a part of a lot
 *   creates a
 *   new slice. An object of the type `Lot` is one slice.
 * - **purchase**: all slices of one lot, open or sold.
 * - **disposal**: the part of one slice that one sale took.
 */
export type Lot = {
  portfolio: string;
  /** The reference of the purchase or transfer that added the shares. */
  reference: string;
  lot: string;
  /** 0 for the lot itself, above 0 for a slice that a wash sale separated from the lot. */
  slice: number;
  symbol: string;
  currency: string;
  acquiredOn: string;
  /** The start of the holding period. It is before `acquiredOn` if a wash sale added days. */
  holdingSince: string;
  /** The first date on which a sale is long-term. */
  longFrom: string;
  /** Shares times 10^8, after splits. */
  quantity: bigint;
  /** The price paid, including fees. */
  costMinor: bigint;
  /** The cost, plus disallowed losses that wash sales added, minus returned capital. */
  basisMinor: bigint;
  washAddedMinor: bigint;
  /** Whether the shares are replacement shares of a wash sale. Such shares cannot replace further shares. */
  isReplacement: boolean;
  knownAt: string;
};

export type WashMatch = {
  /** The portfolio and the lot of the replacement shares. */
  portfolio: string;
  lot: string;
  quantity: bigint;
  disallowedMinor: bigint;
  /**
   * Whether the disallowed loss was added to no basis, because the replacement is in a tax-exempt account.
   */
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
  /** Shares times 10^8; 0 if the disposal is returned capital above the basis. */
  readonly quantity: bigint;
  readonly proceedsMinor: bigint;
  readonly basisMinor: bigint;
  /** Proceeds minus basis. */
  readonly gainMinor: bigint;
  /** The part of the loss that wash sales disallow, 0 or above. */
  readonly disallowedMinor: bigint;
  /** The part of `disallowedMinor` that was added to no basis. */
  readonly lostMinor: bigint;
  readonly matches: readonly WashMatch[];
  readonly knownAt: string;
};

/** Shares that a transfer removed from the portfolio, with their basis. */
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

/** Returns the gain or loss that is recognised for tax. */
export function recognisedMinor({
  gainMinor,
  disallowedMinor,
}: Pick<Disposal, 'gainMinor' | 'disallowedMinor'>): bigint {
  return gainMinor + disallowedMinor;
}

/**
 * Returns the name of a lot or slice. The name of a slice that a wash sale separated from the lot ends with its number.
 */
export function lotName({ lot, slice }: Pick<Lot, 'lot' | 'slice'>): string {
  return slice === 0 ? lot : `${lot}#${slice}`;
}
