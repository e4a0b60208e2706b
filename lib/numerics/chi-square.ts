import { ln } from './natural-log.ts';
import { normalQuantile } from './normal-quantile.ts';
import { PHILOX_DOMAINS, PHILOX_ROUNDS, philox4x32, philoxCounter, philoxKey } from './philox.ts';
import { uniform52 } from './uniform.ts';

/**
 * Fills `out` with chi-square variates of `nu` degrees of freedom, one for each of consecutive samples of a stream. For
 * even nu, a variate is `-2 ln(u_1 u_2 ... u_(nu/2))` of uniforms u. For odd nu, the product has (nu - 1) / 2 uniforms.
 * The square of a standard normal variate, made from one more uniform, is then added. A Student t vector is `z *
 * sqrt(nu / chi2)` with one chi-square variate per sample.
 *
 * Shapes: `out` holds one variate per sample. Sample i uses blocks 0, 1, ... of its own counter. Each block gives two
 * uniforms. If the number of uniforms is odd, the second uniform of the last block is not used. No variate depends on
 * where a chunk starts or ends.
 * Range: `nu` an integer from 2 to 80; `seed`, `domain` (default: chi-square mixing) and samples as in `fillNormals`.
 * Every result is finite and above 0.
 * Errors: `RangeError` if a number is outside its range.
 * Source: recipe `rng-philox4x32-10/1`; -2 ln u is chi-square with two degrees of freedom, and sums of independent
 * chi-square variates are chi-square (Devroye, "Non-Uniform Random Variate Generation", 1986, IX.3 on the gamma
 * distribution with integer shape).
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
  if (!Number.isSafeInteger(nu) || nu < 2 || nu > 80) {
    throw new RangeError(`nu must be an integer from 2 to 80, got ${nu}`);
  }
  const key = philoxKey(seed);
  const words = new Uint32Array(4);
  const factors = Math.floor(nu / 2);
  for (let at = 0; at < out.length; at++) {
    const counter = philoxCounter({ domain, sample: firstSample + at });
    let [product, total, normal] = [1, 0, 0];
    for (let drawn = 0; 2 * drawn < nu; drawn++) {
      if (drawn % 2 === 0) {
        philox4x32(counter, key, PHILOX_ROUNDS, words);
        counter[0]! += 1;
      }
      const place = 2 * (drawn % 2);
      const u = uniform52(words[place]!, words[place + 1]!);
      if (drawn < factors) product *= u;
      else normal = normalQuantile(u);
      if (drawn % FACTORS_AT_ONCE === FACTORS_AT_ONCE - 1) {
        total += ln(product);
        product = 1;
      }
    }
    out[at] = -2 * (total + ln(product)) + normal * normal;
  }
}

/**
 * The number of uniforms multiplied before a logarithm is taken. Their product (at least 2^-795) always stays in the
 * range of normal doubles.
 */
const FACTORS_AT_ONCE = 15;
