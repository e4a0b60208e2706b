import type { Matrix } from 'ml-matrix';
import { rowMajor } from '../matrix.ts';
import { fillNormals } from '../normal-stream.ts';
import { PHILOX_DOMAINS, PHILOX_ROUNDS, philox4x32, philoxCounter, philoxKey } from '../philox.ts';
import { uniform52 } from '../uniform.ts';

/** The distributions of the regimes, and the transition probabilities between regimes. */
export type RegimeLaw = {
  means: readonly Float64Array[];
  /** Lower Cholesky factors of the covariances, one per regime. */
  lowers: readonly Matrix[];
  /** Transition probabilities: P[from][to]. */
  transitions: Matrix;
};

export type PathPart = {
  seed: number;
  first: number;
  count: number;
  horizon: number;
  start: readonly number[];
};

/**
 * Draws paths of cumulative log returns over `horizon` steps, path by path and step by step (D numbers each), with the
 * regime of each step.
 *
 * The regime of step 0 is drawn from the probabilities `start`. If a regime is certain, no random number is used. Later
 * regimes are drawn from the transition row of the previous regime, by uniforms of domain 1: step t uses block t >> 1,
 * with the first pair of words if t is even and the second pair otherwise. The normals of step t follow the normals of
 * the earlier steps, in whole blocks.
 */
export function drawPaths(
  { means, lowers, transitions }: RegimeLaw,
  { seed, first, count, horizon, start }: PathPart,
): { cumulative: Float64Array; regimes: Uint8Array } {
  const size = means[0]!.length;
  const factors = lowers.map(rowMajor);
  const padded = size + (size % 2);
  const cumulative = new Float64Array(count * horizon * size);
  const regimes = drawRegimes(transitions, { seed, first, count, horizon, start });
  const normals = new Float64Array(padded * horizon);
  for (let path = 0; path < count; path += 1) {
    fillNormals(normals, { seed, firstSample: first + path, dimensions: padded * horizon });
    for (let t = 0; t < horizon; t += 1) {
      const regime = regimes[path * horizon + t]!;
      const row = (path * horizon + t) * size;
      for (let a = 0; a < size; a += 1) {
        let moved = 0;
        for (let k = 0; k <= a; k += 1) moved += factors[regime]![a * size + k]! * normals[t * padded + k]!;
        const before = t === 0 ? 0 : cumulative[row - size + a]!;
        cumulative[row + a] = before + (means[regime]![a]! + moved);
      }
    }
  }
  return { cumulative, regimes };
}

/** Returns the regime of each step of each path, path by path. The regimes equal the regimes of `drawPaths`. */
export function drawRegimes(
  transitions: Matrix,
  { seed, first, count, horizon, start }: PathPart,
): Uint8Array {
  const following = transitions.to2DArray();
  const regimes = new Uint8Array(count * horizon);
  const key = philoxKey(seed);
  const words = new Uint32Array(4);
  for (let path = 0; path < count; path += 1) {
    let regime = 0;
    for (let t = 0; t < horizon; t += 1) {
      const counter = philoxCounter({
        domain: PHILOX_DOMAINS.regimePath,
        sample: first + path,
        block: t >> 1,
      });
      philox4x32(counter, key, PHILOX_ROUNDS, words);
      const u = t % 2 === 0 ? uniform52(words[0]!, words[1]!) : uniform52(words[2]!, words[3]!);
      regime = drawn(t === 0 ? start : following[regime]!, u);
      regimes[path * horizon + t] = regime;
    }
  }
  return regimes;
}

function drawn(probabilities: readonly number[], u: number): number {
  let below = 0;
  for (let k = 0; k < probabilities.length - 1; k += 1) {
    below += probabilities[k]!;
    if (u < below) return k;
  }
  return probabilities.length - 1;
}
