/** The feature values of one as-of date, and the target values after that date. NaN is a missing value. */
export type CrossSection = {
  entities: readonly string[];
  /** Values by feature: one column per feature, one element per entity. */
  features: readonly Float64Array[];
  /** Target values by horizon: one column per horizon, one element per entity. */
  targets: readonly Float64Array[];
};

/** Callbacks for long work: `progress` reports the finished fraction, `cancelled` returns whether to stop. */
export type Steps = { progress(fraction: number): void; cancelled(): boolean };

export type Pairs = { x: Float64Array; y: Float64Array };

/** Returns the pairs in which neither value is NaN. */
export function completePairs(left: Float64Array, right: Float64Array): Pairs {
  const both = Uint32Array.from(left.keys()).filter(
    (at) => !Number.isNaN(left[at]!) && !Number.isNaN(right[at]!),
  );
  return { x: Float64Array.from(both, (at) => left[at]!), y: Float64Array.from(both, (at) => right[at]!) };
}
