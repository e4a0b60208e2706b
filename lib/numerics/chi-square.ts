import { ln } from './natural-log.ts';
import { PHILOX_DOMAINS, PHILOX_ROUNDS, philox4x32, philoxCounter, philoxKey } from './philox.ts';
import { uniform52 } from './uniform.ts';

/**
 * Fills `out` with chi-square numbers of even degrees of freedom `nu`, one for each of consecutive samples of a stream:
 * `-2 ln(u_1 u_2 ... u_(nu/2))`. A Student t vector is `z * sqrt(nu / chi2)` with one number for the sample.
 *
 * Shapes: `out` holds one number a sample; sample i uses blocks 0, 1, ... of its own counter, two uniforms a block, and
 * drops the last one when nu/2 is odd. No number depends on where a chunk starts or ends.
 * Range: `nu` even, 2 to 30, so that the product (at least 2^-795) never leaves the normal doubles; `seed`, `domain`
 * (default: chi-square mixing) and samples as in `fillNormals`. Every result is finite and above 0.
 * Errors: `RangeError` when a number is outside its range.
 * Source: recipe `rng-philox4x32-10/1`; -2 ln u is chi-square with two degrees of freedom, and independent ones add up
 * (Devroye, "Non-Uniform Random Variate Generation", 1986, IX.3 on the gamma distribution with integer shape).
 *
 * @example
 * const out = new Float64Array(1);
 * fillChiSquares(out, { seed: 42, firstSample: 0, nu: 4 }); // 7.07098842176428
 */
export function fillChiSquares(
  out: Float64Array,
  stream: { seed: number; firstSample: number; nu: number; domain?: number },
): void {
  const { seed, firstSample, nu, domain = PHILOX_DOMAINS.chiSquareMixing } = stream;
  if (!Number.isSafeInteger(nu) || nu < 2 || nu > 30 || nu % 2 !== 0) {
    throw new RangeError(`nu must be an even integer from 2 to 30, got ${nu}`);
  }
  const key = philoxKey(seed);
  const words = new Uint32Array(4);
  for (let at = 0; at < out.length; at++) {
    const counter = philoxCounter({ domain, sample: firstSample + at });
    let product = 1;
    for (let drawn = 0; drawn < nu / 2; drawn += 2) {
      philox4x32(counter, key, PHILOX_ROUNDS, words);
      product *= uniform52(words[0]!, words[1]!);
      if (drawn + 1 < nu / 2) product *= uniform52(words[2]!, words[3]!);
      counter[0]! += 1;
    }
    out[at] = -2 * ln(product);
  }
}
