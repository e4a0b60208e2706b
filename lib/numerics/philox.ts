/**
 * The purposes of the random number streams of a seed, called domains. The domain is one word of the counter, so two
 * domains of one seed never share a block. The numbers belong to the recipe `rng-philox4x32-10/1` and never change.
 */
export const PHILOX_DOMAINS = {
  regimePath: 1,
  normals: 2,
  chiSquareMixing: 3,
  resampling: 4,
  modelStart: 5,
  specificReturn: 6,
  randomSearch: 7,
  evolutionSearch: 8,
} as const;

/** Rounds of the recipe `rng-philox4x32-10/1`. */
export const PHILOX_ROUNDS = 10;

const MULTIPLIER_0 = 0xd2511f53;
const MULTIPLIER_1 = 0xcd9e8d57;
const WEYL_0 = 0x9e3779b9;
const WEYL_1 = 0xbb67ae85;
const TWO_TO_32 = 4294967296;

/** The multipliers of the first and the third word, and the steps of the two words of the key. */
export const PHILOX_STEPS = {
  multipliers: [MULTIPLIER_0, MULTIPLIER_1],
  weyl: [WEYL_0, WEYL_1],
} as const;

/**
 * Computes one block of the counter-based generator Philox4x32: four pseudo-random words that depend only on counter
 * and key.
 *
 * Shapes: `counter` 4 words, `key` 2 words, `out` at least 4 words; `out` can be `counter` itself. The lengths are not
 * checked, because this is the innermost loop of every simulation. `rounds`: 10 in the recipe; 7 is the minimum that
 * passes the authors' statistical tests; 0 copies the counter.
 * Never throws.
 * Source: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC11, section 4.3; constants and
 * order of words as in Random123 `philox.h`, whose known answers the tests repeat.
 *
 * @example
 * const out = new Uint32Array(4);
 * philox4x32(new Uint32Array(4), new Uint32Array(2), 10, out); // 6627e8d5 e169c58d bc57ac4c 9b00dbd8
 */
export function philox4x32(counter: Uint32Array, key: Uint32Array, rounds: number, out: Uint32Array): void {
  let c0 = counter[0]! | 0;
  let c1 = counter[1]! | 0;
  let c2 = counter[2]! | 0;
  let c3 = counter[3]! | 0;
  let k0 = key[0]! | 0;
  let k1 = key[1]! | 0;
  for (let round = 0; round < rounds; round++) {
    const high0 = multiplyHigh(c0, MULTIPLIER_0);
    const high1 = multiplyHigh(c2, MULTIPLIER_1);
    const low0 = Math.imul(c0, MULTIPLIER_0);
    const low1 = Math.imul(c2, MULTIPLIER_1);
    c0 = high1 ^ c1 ^ k0;
    c1 = low1;
    c2 = high0 ^ c3 ^ k1;
    c3 = low0;
    k0 = (k0 + WEYL_0) | 0;
    k1 = (k1 + WEYL_1) | 0;
  }
  out[0] = c0;
  out[1] = c1;
  out[2] = c2;
  out[3] = c3;
}

/**
 * Returns the key of a seed: `[seed mod 2^32, floor(seed / 2^32)]`.
 *
 * Range: `seed` is an integer from 0 to 2^53 - 1, so no two seeds share a key.
 * Errors: `RangeError` for anything else (negative, fraction, NaN, 2^53 and above); a seed is never truncated.
 * Source: recipe `rng-philox4x32-10/1`.
 *
 * @example
 * philoxKey(4294967297); // [1, 1]
 */
export function philoxKey(seed: number): Uint32Array {
  assertWord(seed, 'seed', Number.MAX_SAFE_INTEGER);
  return Uint32Array.of(seed, highWord(seed));
}

/**
 * Returns the counter of a position in a stream: `[block, sample mod 2^32, domain, floor(sample / 2^32)]`. The stream
 * belongs to the sample, not to a worker or a chunk, so any division of the work draws the same numbers.
 *
 * Range: `sample` an integer from 0 to 2^53 - 1, `domain` (see `PHILOX_DOMAINS`) and `block` (default 0) from 0 to
 * 2^32 - 1.
 * Errors: `RangeError` for anything else.
 * Source: recipe `rng-philox4x32-10/1`.
 *
 * @example
 * philoxCounter({ domain: PHILOX_DOMAINS.normals, sample: 7, block: 1 }); // [1, 7, 2, 0]
 */
export function philoxCounter(place: { domain: number; sample: number; block?: number }): Uint32Array {
  const { domain, sample, block = 0 } = place;
  assertWord(domain, 'domain', TWO_TO_32 - 1);
  assertWord(sample, 'sample', Number.MAX_SAFE_INTEGER);
  assertWord(block, 'block', TWO_TO_32 - 1);
  return Uint32Array.of(block, sample, domain, highWord(sample));
}

/** Returns the upper bits of a non-negative safe integer: those above its lowest 32 bits. */
function highWord(value: number): number {
  return Math.floor(value / TWO_TO_32);
}

function assertWord(value: number, name: string, max: number): void {
  if (Number.isSafeInteger(value) && value >= 0 && value <= max) return;
  throw new RangeError(`${name} must be an integer from 0 to ${max}, got ${value}`);
}

/**
 * Returns the upper 32 bits of the 64-bit product of two words, from four 16-bit partial products: no step exceeds 32
 * bits.
 */
function multiplyHigh(a: number, b: number): number {
  const aLow = a & 0xffff;
  const aHigh = a >>> 16;
  const bLow = b & 0xffff;
  const bHigh = b >>> 16;
  const middle = (Math.imul(aHigh, bLow) + (Math.imul(aLow, bLow) >>> 16)) | 0;
  const carry = (Math.imul(aLow, bHigh) + (middle & 0xffff)) | 0;
  return (Math.imul(aHigh, bHigh) + (middle >>> 16) + (carry >>> 16)) | 0;
}
