/** The answer for a portfolio with an amount that a JSON integer cannot hold. */
export type OutOfRange = { state: 'inconsistent'; detail: string };

/**
 * Runs a derivation whose amounts go onto the wire. Answers `inconsistent` if an amount or a sum exceeds the range of a
 * JSON integer, or of the 64-bit columns of a derivation. Other errors are thrown.
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
