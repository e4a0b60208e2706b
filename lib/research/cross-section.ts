/** The matrix of one as-of date with the targets behind it; NaN is a missing value. */
export type CrossSection = {
  entities: readonly string[];
  /** A column for each feature. */
  features: readonly Float64Array[];
  /** A column for each horizon. */
  targets: readonly Float64Array[];
};

/** How work tells how far it is, and learns that nobody wants it any more. */
export type Steps = { progress(fraction: number): void; cancelled(): boolean };

export type Pairs = { x: Float64Array; y: Float64Array };

/** The pairs of which neither side is NaN. */
export function completePairs(left: Float64Array, right: Float64Array): Pairs {
  const both = Uint32Array.from(left.keys()).filter(
    (at) => !Number.isNaN(left[at]!) && !Number.isNaN(right[at]!),
  );
  return { x: Float64Array.from(both, (at) => left[at]!), y: Float64Array.from(both, (at) => right[at]!) };
}
