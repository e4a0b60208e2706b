import { Matrix } from 'ml-matrix';
import type { Control } from '#lib/core/run.ts';
import { canonicalHash, sha256 } from '#lib/core/seal.ts';
import { quantileSorted } from '#lib/numerics/quantile.ts';
import { drawPaths } from '#lib/numerics/scenario/draw-paths.ts';
import { lowerCholesky } from '#lib/numerics/scenario/lower-cholesky.ts';
import { pathDrawdowns } from '#lib/numerics/scenario/path-drawdown.ts';
import { sortDoubles } from '#lib/numerics/sort-doubles.ts';
import { chunkedSum, QUANTILES } from '#lib/numerics/scenario/sample-statistics.ts';
import type { Checkpoint } from '#lib/models/registry/checkpoint.schema.ts';
import type { PathInput, PathResult } from './paths.schema.ts';
import { regimeProbabilities } from './regime-probabilities.ts';
import { columnOf, rowMeans } from './sample-columns.ts';
import { runHashes } from './run-hashes.ts';
import { bytesOf, summary } from './sample-summary.ts';

const RECIPE = 'paths/1 rng-philox4x32-10/1';
const CHUNK = 1024;

/** Drawn paths: the cumulative log returns and the regime of each month, path by path and month by month. */
type Drawn = { cumulative: Float64Array; regimes: Uint8Array };

/**
 * Draws multi-month paths and returns their statistics and hashes. The results do not depend on how many paths are
 * drawn at a time. Throws if a covariance of the checkpoint is not positive definite.
 */
export function pathRun(
  input: PathInput,
  checkpoint: Checkpoint,
  control: Pick<Control, 'progress'> = { progress: () => {} },
  chunk = CHUNK,
): { result: PathResult; matrix: Float64Array } {
  const { horizon, regime } = input;
  const { factors } = checkpoint;
  const start = regimeProbabilities(checkpoint, regime)!;
  const { cumulative, regimes } = drawn(input, checkpoint, { start, chunk, control });
  const cells = horizon * factors.length;
  const book = rowMeans(cumulative, factors.length);
  const at = (place: number) => columnOf(cumulative, { place, size: cells });
  const bookAt = (step: number) => columnOf(book, { place: step, size: horizon });
  let expected = start;
  const steps = Array.from({ length: horizon }, (_, step) => {
    if (step > 0) expected = following(expected, checkpoint.transitions);
    control.progress(0.5 + (0.5 * step) / horizon);
    return {
      month: step + 1,
      regimes: occupancy(regimes, { step, horizon, checkpoint, expected }),
      factors: factors.map((factor, place) => ({ factor, ...spread(at(step * factors.length + place)) })),
      equal_weight: spread(bookAt(step)),
    };
  });
  const falls = pathDrawdowns(book, horizon);
  const statistics = {
    regime_probabilities: checkpoint.regimes.flatMap(({ name }, place) =>
      start[place]! > 0 ? [{ regime: name, probability: start[place]! }] : [],
    ),
    probabilities: [...QUANTILES],
    steps,
    final: summary(bookAt(horizon - 1)),
    maximum_drawdown: { ...spread(falls), deepest: falls.reduce((one, other) => Math.min(one, other), 0) },
  };
  const found = {
    samples_hash: sha256(bytesOf(cumulative)),
    regimes_hash: sha256(regimes),
    statistics_hash: canonicalHash(statistics),
  };
  const hashes = runHashes(input, found, RECIPE);
  return { result: { ...statistics, hashes }, matrix: cumulative };
}

function drawn(
  { seed, paths, horizon }: PathInput,
  { regimes: laws, factors, transitions }: Checkpoint,
  how: { start: readonly number[]; chunk: number; control: Pick<Control, 'progress'> },
): Drawn {
  const size = factors.length;
  const law = {
    means: laws.map(({ means }) => Float64Array.from(means)),
    lowers: laws.map(({ covariance, name }) => {
      const lower = lowerCholesky(new Matrix(covariance));
      if (!lower) throw new Error(`the covariance of the regime ${name} is not positive definite`);
      return lower;
    }),
    transitions: new Matrix(transitions),
  };
  const cumulative = new Float64Array(paths * horizon * size);
  const regimes = new Uint8Array(paths * horizon);
  for (let first = 0; first < paths; first += how.chunk) {
    const count = Math.min(how.chunk, paths - first);
    const part = drawPaths(law, { seed, first, count, horizon, start: how.start });
    cumulative.set(part.cumulative, first * horizon * size);
    regimes.set(part.regimes, first * horizon);
    how.control.progress((0.5 * (first + count)) / paths);
  }
  return { cumulative, regimes };
}

function spread(values: Float64Array) {
  const n = values.length;
  const mean = chunkedSum(values, (value) => value) / n;
  const variance = chunkedSum(values, (value) => (value - mean) * (value - mean)) / n;
  const ascending = sortDoubles(values);
  return {
    mean,
    standard_deviation: Math.sqrt(variance),
    quantiles: QUANTILES.map((p) => quantileSorted(ascending, p)),
  };
}

function occupancy(
  regimes: Uint8Array,
  of: { step: number; horizon: number; checkpoint: Checkpoint; expected: readonly number[] },
) {
  const counts = of.checkpoint.regimes.map(() => 0);
  for (let at = of.step; at < regimes.length; at += of.horizon) counts[regimes[at]!]! += 1;
  const paths = regimes.length / of.horizon;
  return of.checkpoint.regimes.map(({ name }, place) => ({
    regime: name,
    share: counts[place]! / paths,
    expected: Math.min(1, of.expected[place]!),
  }));
}

/** Returns the probabilities of the regimes one month later, given their current probabilities. */
function following(now: readonly number[], transitions: readonly (readonly number[])[]): number[] {
  return now.map((_, to) => now.reduce((total, share, from) => total + share * transitions[from]![to]!, 0));
}
