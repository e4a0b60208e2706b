import { PHILOX_ROUNDS, philox4x32, philoxCounter, philoxKey } from './philox.ts';
import { uniform52 } from './uniform.ts';

/**
 * Returns a function that returns the uniforms of one sample of a stream, one after the other: two per block, from
 * block 0.
 *
 * Range and errors as in `philoxKey` and `philoxCounter`. Source: recipe `rng-philox4x32-10/1`.
 */
export function uniformStream(place: { seed: number; domain: number; sample: number }): () => number {
  const key = philoxKey(place.seed);
  const counter = philoxCounter(place);
  const words = new Uint32Array(4);
  let isSecond = false;
  return () => {
    if (!isSecond) {
      philox4x32(counter, key, PHILOX_ROUNDS, words);
      counter[0]! += 1;
    }
    const u = isSecond ? uniform52(words[2]!, words[3]!) : uniform52(words[0]!, words[1]!);
    isSecond = !isSecond;
    return u;
  };
}
