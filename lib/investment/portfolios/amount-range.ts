/** The result for a portfolio with an amount that exceeds the range of a JSON integer. */
export type OutOfRange = { state: 'inconsistent'; detail: string };

/**
 * Runs a derivation whose amounts are returned as JSON. Returns `inconsistent` if an amount or a sum exceeds
 * the range of a JSON integer. Errors other than a `RangeError` are thrown.
 */
export function withinRange<Answer>(derive: () => Answer): Answer | OutOfRange {
  try {
    return derive();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return {
      state: 'inconsistent',
      detail: 'An amount of the portfolio exceeds the range of a JSON integer, 2^53 - 1 minor units.',
    };
  }
}
