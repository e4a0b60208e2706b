export const toleranceRules = ['EXACT', 'PCT', 'PCT_MAX', 'RANGE', 'IGNORE'] as const;
export type ToleranceRule = (typeof toleranceRules)[number];

/** What may differ. A quantity never may: it is exact, whatever a profile says. */
export const toleratedFields = ['settlement_amount', 'settlement_date'] as const;
export type ToleratedField = (typeof toleratedFields)[number];

/** How far a field may be off: `bps` of the expected amount, and `most` in minor units or in calendar days. */
export type Tolerance = { rule: ToleranceRule; bps: bigint; most: bigint };

export type ToleranceEntry = {
  field: ToleratedField;
  /** The currency that it holds for; null for all that no other entry names. */
  currency: string | null;
  rule: ToleranceRule;
  bps: number | null;
  most: number | null;
};

export const exact: Tolerance = { rule: 'EXACT', bps: 0n, most: 0n };

/** The entry of a field: that of the currency, else the general one, else exact. */
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

/** Whether a difference is tolerated. `expected` is what the percentage is of. Bounds are inside. */
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

/** The profile that a batch is matched with; without one in force at its release everything is exact. */
export type KeptTolerance = {
  uid: string | null;
  version: number;
  hash: string | null;
  entries: ToleranceEntry[];
};
export const EXACT_PROFILE: KeptTolerance = { uid: null, version: 0, hash: null, entries: [] };
