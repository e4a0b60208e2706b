import { PHILOX_DOMAINS, PHILOX_ROUNDS, philox4x32, philoxCounter, philoxKey } from '../philox.ts';
import { uniform52 } from '../uniform.ts';

/** Number of blocks per sample that belong to one instrument. One block is used for two months. */
const BLOCKS = 64;
const TWO_TO_32 = 4294967296;

/** The largest instrument number, and the number of months for which an instrument has a uniform. */
export const SPECIFIC_LIMITS = { instrument: TWO_TO_32 / BLOCKS - 1, months: 2 * BLOCKS } as const;

/**
 * Returns the uniform of an instrument in a month of a sample: domain 6, block 64 x instrument +
 * floor(month / 2), the first pair of words in an even month and the second pair in an odd month. The uniform
 * depends only on seed, sample, instrument and month. It is therefore the same in every portfolio and in
 * every order of the calls.
 */
export type SpecificUniform = (sample: number, instrument: number, month: number) => number;

/**
 * Returns the uniforms of a seed for specific returns.
 *
 * Range: `sample` an integer from 0 to 2^53 - 1, `instrument` from 0 to 2^26 - 1, `month` from 0 to 127. The arguments
 * are not checked, because this is the innermost loop; `checkInstrument` checks an instrument number once.
 * Errors: `RangeError` of the seed. Source: recipe `rng-philox4x32-10/1`.
 */
export function specificUniforms(seed: number): SpecificUniform {
  const key = philoxKey(seed);
  const counter = philoxCounter({ domain: PHILOX_DOMAINS.specificReturn, sample: 0 });
  const words = new Uint32Array(4);
  let [lastSample, lastBlock] = [-1, -1];
  return (sample, instrument, month) => {
    const block = BLOCKS * instrument + (month >> 1);
    if (block !== lastBlock || sample !== lastSample) {
      counter[0] = block;
      // The array stores the lowest 32 bits of the integer part: here the low word of `sample`, and in
      // `counter[3]` the high word.
      counter[1] = sample;
      counter[3] = sample / TWO_TO_32;
      philox4x32(counter, key, PHILOX_ROUNDS, words);
      [lastSample, lastBlock] = [sample, block];
    }
    return month % 2 === 0 ? uniform52(words[0]!, words[1]!) : uniform52(words[2]!, words[3]!);
  };
}

/** Throws a `RangeError` if an instrument number is outside its range. */
export function checkInstrument(instrument: number): void {
  if (Number.isSafeInteger(instrument) && instrument >= 0 && instrument <= SPECIFIC_LIMITS.instrument) return;
  throw new RangeError(`an instrument number is from 0 to ${SPECIFIC_LIMITS.instrument}, got ${instrument}`);
}
