import { fillRow, ROW_MAX } from './normal-kernel.ts';
import { normalQuantile } from './normal-quantile.ts';
import { PHILOX_DOMAINS, PHILOX_ROUNDS, philox4x32, philoxCounter, philoxKey } from './philox.ts';
import { uniform52 } from './uniform.ts';

const TWO_TO_32 = 4294967296;
/** Smallest number of dimensions for which the kernel is faster, because it computes eight normals at a time. */
const KERNEL_MIN = 5;

/**
 * Fills `out` with the standard normals of consecutive samples of one stream.
 *
 * Shapes: `out` is samples-by-dimensions, row by row (sample-major). Its length is a multiple of `dimensions` and gives
 * the number of samples, which can be 0. Sample i uses blocks 0, 1, ... of its own counter, two normals per block. With
 * odd `dimensions` the last normal of the last block is dropped, so the first k dimensions of a sample do not depend on
 * the number of dimensions drawn. No number depends on where a chunk starts or ends.
 * Range: `seed` from 0 to 2^53 - 1, `domain` from 0 to 2^32 - 1 (default: normals), samples from 0 to 2^53 - 1. Errors:
 * `RangeError` if a number is outside its range, `dimensions` is not a positive integer, or the length of `out` is not
 * a multiple of `dimensions`.
 * Source: recipe `rng-philox4x32-10/1`: `philox4x32`, then `uniform52`, then `normalQuantile`.
 *
 * @example
 * const out = new Float64Array(2 * 3);
 * fillNormals(out, { seed: 42, firstSample: 0, dimensions: 3 }); // two samples of three normals
 */
export function fillNormals(
  out: Float64Array,
  stream: { seed: number; firstSample: number; dimensions: number; domain?: number },
): void {
  const { seed, firstSample, dimensions, domain = PHILOX_DOMAINS.normals } = stream;
  if (!Number.isSafeInteger(dimensions) || dimensions < 1 || out.length % dimensions !== 0) {
    throw new RangeError(`${out.length} numbers cannot be divided into samples of ${dimensions} dimensions`);
  }
  const key = philoxKey(seed);
  const words = new Uint32Array(4);
  if (out.length === 0) return;
  const counter = philoxCounter({ domain, sample: firstSample });
  philoxCounter({ domain, sample: firstSample + (out.length / dimensions - 1) }); // throws if the last sample has no valid counter
  let sample = firstSample;
  for (let start = 0; start < out.length; start += dimensions) {
    // The array stores the lowest 32 bits of the integer part of a number: one element gets the low word of
    // the sample, another its high word.
    counter[0] = 0;
    counter[1] = sample;
    counter[3] = sample / TWO_TO_32;
    const end = start + dimensions;
    if (dimensions >= KERNEL_MIN)
      for (let from = start; from < end; from += ROW_MAX) {
        fillRow(out, { from, length: Math.min(ROW_MAX, end - from), key, counter });
        counter[0]! += ROW_MAX / 2;
      }
    else
      for (let at = start; at < end; at += 2) {
        philox4x32(counter, key, PHILOX_ROUNDS, words);
        out[at] = normalQuantile(uniform52(words[0]!, words[1]!));
        if (at + 1 < end) out[at + 1] = normalQuantile(uniform52(words[2]!, words[3]!));
        counter[0]! += 1;
      }
    sample += 1;
  }
}
