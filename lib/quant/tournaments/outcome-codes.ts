/** Reasons why an entry has no loss at an origin. */
export const failureReasons = ['not_applicable', 'not_finite', 'no_spread'] as const;
export type FailureReason = (typeof failureReasons)[number];

/** Kinds of observations that losses are compared on. */
export const observationKinds = ['origin', 'period', 'series'] as const;
export type ObservationKind = (typeof observationKinds)[number];
