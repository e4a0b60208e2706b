import { cubeRootCeiling } from '../cube-root.ts';
import { PHILOX_DOMAINS } from '../philox.ts';
import { uniformStream } from '../uniform-stream.ts';
import { circularBlocks } from './model-confidence-set.ts';

/**
 * Returns the length of a block for losses of forecasts: the horizon or the cube root of the number of observations,
 * whichever is larger, at most the number of observations.
 */
export function blockLength(observations: number, horizon: number): number {
  return Math.min(observations, Math.max(cubeRootCeiling(observations), horizon));
}

/**
 * Returns the indices of the resamples of a circular block bootstrap. Resample i draws from domain 4, sample i, of the
 * seed, so it does not depend on the number of resamples.
 *
 * Shapes: `resamples` rows of `observations` indices. Source: see `circularBlocks`.
 */
export function circularResamples(
  observations: number,
  { block, resamples, seed }: { block: number; resamples: number; seed: number },
): Int32Array[] {
  const blocks = Math.ceil(observations / block);
  return Array.from({ length: resamples }, (_, sample) => {
    const next = uniformStream({ seed, domain: PHILOX_DOMAINS.resampling, sample });
    return circularBlocks(observations, block, Float64Array.from({ length: blocks }, next));
  });
}
