export const toleranceRules = ['EXACT', 'PCT', 'PCT_MAX', 'RANGE', 'IGNORE'] as const;
export type ToleranceRule = (typeof toleranceRules)[number];

/** The fields that may differ. A quantity must always be exact, regardless of the profile. */
export const toleratedFields = ['settlement_amount', 'settlement_date'] as const;
export type ToleratedField = (typeof toleratedFields)[number];

/**
 * The tolerance of a field: `bps` is in basis points of the expected amount, and `most` is in minor units for
 * an amount or in calendar days for a date.
 */
export type Tolerance = { rule: ToleranceRule; bps: bigint; most: bigint };

export type ToleranceEntry = {
  field: ToleratedField;
  /** The currency of the entry. Null: the entry applies to every currency without its own entry. */
  currency: string | null;
  rule: ToleranceRule;
  bps: number | null;
  most: number | null;
};

export const exact: Tolerance = { rule: 'EXACT', bps: 0n, most: 0n };

/** Returns the tolerance of a field: the entry of the currency, otherwise the general entry, otherwise exact. */
export function toleranceOf(
  entries: readonly ToleranceEntry[],
  field: ToleratedField,
  currency: string,
): Tolerance {
  const own = entries.filter((entry) => entry.field === field);
  const found =
    own.find((entry) => entry.currency === currency) ?? own.find((entry) => entry.currency === null);
  return found ? { rule: found.rule, bps: BigInt(found.bps ?? 0), most: BigInt(found.most ?? 0) } : exact;
}

/** Whether a difference is within the tolerance. `expected` is the base of the percentage. Bounds are inclusive. */
export function isWithin({ rule, bps, most }: Tolerance, expected: bigint, difference: bigint): boolean {
  const size = difference < 0n ? -difference : difference;
  const isInPart = size * 10_000n <= bps * (expected < 0n ? -expected : expected);
  const verdicts: Record<ToleranceRule, boolean> = {
    EXACT: size === 0n,
    PCT: isInPart,
    PCT_MAX: isInPart && size <= most,
    RANGE: size <= most,
    IGNORE: true,
  };
  return verdicts[rule];
}

/**
 * The tolerance profile that was active when the batch was released. Without an active profile, all values
 * must be exact.
 */
export type KeptTolerance = {
  uid: string | null;
  version: number;
  hash: string | null;
  entries: ToleranceEntry[];
};
export const EXACT_PROFILE: KeptTolerance = { uid: null, version: 0, hash: null, entries: [] };
