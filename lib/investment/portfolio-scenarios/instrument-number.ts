import { sha256 } from '#lib/core/seal.ts';

const BITS_OF_SEVEN_DIGITS = 28;
const BITS = 26;

/**
 * Returns the number of an instrument for its specific draws, from 0 to 2^26 - 1: the first 26 bits of the SHA-256 of its
 * uid. It depends on nothing else, so that a position draws the same numbers in every portfolio. Of 1,000 instruments,
 * two share a number with a probability of 0.7 %; their specific returns are then equal up to their deviations.
 */
export function instrumentNumber(uid: string): number {
  return Number.parseInt(sha256(uid).slice(0, 7), 16) >>> (BITS_OF_SEVEN_DIGITS - BITS);
}
