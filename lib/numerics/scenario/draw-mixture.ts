import { PHILOX_DOMAINS, PHILOX_ROUNDS, philox4x32, philoxCounter, philoxKey } from '../philox.ts';
import { uniform52 } from '../uniform.ts';
import type { ScenarioPart } from './draw-scenarios.ts';

/**
 * A part of a mixture: a sampler of one distribution, and the probability of the distribution. A distribution with
 * probability 0 is never drawn.
 */
export type MixturePart = { draw: (part: ScenarioPart) => Float64Array; probability: number };

/**
 * Draws samples of a mixture of distributions. For each sample, a uniform number from domain 1, block 0 of the sample's
 * stream chooses the distribution. Antithetic samples share a stream, so they have the same distribution. If only one
 * distribution has a probability above 0, all samples are drawn from it without a uniform number.
 */
export function drawMixture(parts: readonly MixturePart[], part: ScenarioPart): Float64Array {
  const possible = parts.filter(({ probability }) => probability > 0);
  if (possible.length === 1) return possible[0]!.draw(part);
  const drawn = possible.map(({ draw }) => draw(part));
  const size = drawn[0]!.length / part.count;
  const out = new Float64Array(part.count * size);
  const key = philoxKey(part.seed);
  const words = new Uint32Array(4);
  for (let at = 0; at < part.count; at += 1) {
    const sample = part.first + at;
    const stream = part.antithetic ? Math.floor(sample / 2) : sample;
    philox4x32(
      philoxCounter({ domain: PHILOX_DOMAINS.regimePath, sample: stream }),
      key,
      PHILOX_ROUNDS,
      words,
    );
    const u = uniform52(words[0]!, words[1]!);
    let [chosen, below] = [0, possible[0]!.probability];
    while (chosen < possible.length - 1 && u >= below) {
      chosen += 1;
      below += possible[chosen]!.probability;
    }
    out.set(drawn[chosen]!.subarray(at * size, (at + 1) * size), at * size);
  }
  return out;
}
