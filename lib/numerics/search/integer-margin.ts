import { normalCdf } from '../normal-cdf.ts';
import { normalQuantile } from '../normal-quantile.ts';

/** Mean and standard deviation of a coordinate. */
export type Marginal = { mean: number; deviation: number };

/**
 * Returns the mean and deviation of a coordinate of a finite axis, corrected so that points leave the current value
 * with at least the probability `margin`. Without the correction, the search never leaves a value once the deviation is
 * small compared with the part of the range that belongs to the value.
 *
 * `part`: the part of 0 to 1 that belongs to the current value. A value at an end of the axis can be left on one side
 * only, so only the mean is moved. Any other value is left on each side with at least half of the margin. `margin`: in
 * (0, 1/3).
 * Source: Hamano, Saito, Nomura and Shirakawa, "CMA-ES with Margin" (GECCO 2022), section 4.
 *
 * Example: a mean of 0.5 with the deviation 1e-6 in the part from 0.4 to 0.6 keeps its mean, and with the margin 0.1
 * its deviation becomes 0.1 / 1.645 = 0.0608.
 */
export function withMargin(
  { mean, deviation }: Marginal,
  part: { from: number; to: number },
  margin: number,
): Marginal {
  const reach = -normalQuantile(margin) * deviation;
  if (part.from <= 0) return { mean: Math.max(mean, part.to - reach), deviation };
  if (part.to >= 1) return { mean: Math.min(mean, part.from + reach), deviation };
  const least = margin / 2;
  const [below, above] = [normalCdf((part.from - mean) / deviation), normalCdf((mean - part.to) / deviation)];
  if (below >= least && above >= least) return { mean, deviation };
  const within = Math.max(0, 1 - below - above);
  const [low, high] = [Math.max(least, below), Math.max(least, above)];
  const share = (1 - low - high - within) / (low + high + within - 3 * least);
  const from = normalQuantile(low + share * (low - least));
  const to = -normalQuantile(high + share * (high - least));
  const widened = (part.to - part.from) / (to - from);
  return { mean: part.from - from * widened, deviation: widened };
}
