import { bootstrapRows, type BootstrapPlan } from '#lib/numerics/bootstrap/bootstrap-rows.ts';
import { fillChiSquares } from '#lib/numerics/chi-square.ts';
import { replaceByExponentials } from '#lib/numerics/exponential-kernel.ts';
import { fillNormals } from '#lib/numerics/normal-stream.ts';
import { portfolioGrowth, rowGrowth, type Allocation } from '#lib/numerics/simulation/portfolio-growth.ts';
import type { DrawGrowth } from './simulation-setup.ts';

/** Whether the portfolio has the same weights at the start of every month. */
function isConstant({ assets, targets, rebalancing }: Allocation): boolean {
  if (assets === 1) return true;
  return rebalancing === 'monthly' && targets.every((weight, at) => weight === targets[at % assets]!);
}

/**
 * Returns a function that draws paths from the months of a history. `growth`: rows of growth factors, one
 * factor per asset; `plan.rows` is the number of rows.
 */
export function historyGrowth(
  growth: Float64Array,
  plan: BootstrapPlan,
  { allocation, seed }: { allocation: Allocation; seed: number },
): DrawGrowth {
  const { assets } = allocation;
  let rows = new Int32Array(0);
  const draw = (size: number, first: number, count: number) => {
    if (rows.length < size) rows = new Int32Array(size);
    bootstrapRows(rows, plan, { seed, first, count });
  };
  if (isConstant(allocation)) {
    const whole = rowGrowth(growth, allocation.targets.subarray(0, assets), allocation.fee);
    return (out, first, count) => {
      draw(out.length, first, count);
      for (let at = 0; at < out.length; at += 1) out[at] = whole[rows[at]!]!;
    };
  }
  return (out, first, count) => {
    draw(out.length, first, count);
    for (let at = 0; at < out.length; at += 1) rows[at]! *= assets;
    portfolioGrowth(out, { growth, at: rows }, allocation);
  };
}

/** The distribution of monthly log returns: normal, or Student t with the same covariance. */
export type ReturnLaw = {
  means: Float64Array;
  /** Lower Cholesky factor of the covariance, row by row. */
  lower: Float64Array;
  /** Degrees of freedom of the Student t distribution; null for the normal distribution. */
  degrees: number | null;
};

/**
 * Returns a function that draws paths of independent months from a distribution. Month t of path i uses the normals t x
 * n to t x n + n - 1 of the path's stream of domain 2 (n assets), and one chi-square variate of domain 3 per month,
 * number i x horizon + t. The second path of an antithetic pair uses the normals of the first path with the opposite
 * sign.
 */
export function lawGrowth(
  { means, lower, degrees }: ReturnLaw,
  {
    allocation,
    seed,
    horizon,
    antithetic,
  }: { allocation: Allocation; seed: number; horizon: number; antithetic: boolean },
): DrawGrowth {
  const { assets } = allocation;
  const dimensions = horizon * assets;
  let normals = new Float64Array(0);
  let mixing = new Float64Array(0);
  return inBlocks(allocation, horizon, (growth, first, count) => {
    const step = antithetic ? 2 : 1;
    const streams = Math.ceil(count / step);
    const firstSample = Math.floor(first / step);
    if (normals.length < streams * dimensions) normals = new Float64Array(streams * dimensions);
    fillNormals(normals.subarray(0, streams * dimensions), { seed, firstSample, dimensions });
    if (degrees !== null) {
      if (mixing.length < streams * horizon) mixing = new Float64Array(streams * horizon);
      const variates = mixing.subarray(0, streams * horizon);
      fillChiSquares(variates, { seed, firstSample: firstSample * horizon, nu: degrees });
      widen(normals, variates, { assets, degrees });
    }
    for (let path = 0; path < count; path += 1) {
      const stream = antithetic ? path >> 1 : path;
      const sign = antithetic && (path & 1) === 1 ? -1 : 1;
      const [from, to] = [stream * dimensions, path * dimensions];
      const block = { normals, from, to, sign, length: dimensions };
      if (assets === 1) growOne(growth, block, { mean: means[0]!, deviation: lower[0]! });
      else growSeveral(growth, block, { means, lower });
    }
    replaceByExponentials(growth);
  });
}

/** The normals of a path start at index `from`; its growth factors start at index `to`. */
type PathBlock = { normals: Float64Array; from: number; to: number; sign: number; length: number };

/** Writes the log returns of a path of one asset. */
function growOne(
  growth: Float64Array,
  { normals, from, to, sign, length }: PathBlock,
  { mean, deviation }: { mean: number; deviation: number },
): void {
  const scale = sign * deviation;
  for (let t = 0; t < length; t += 1) growth[to + t] = mean + scale * normals[from + t]!;
}

/** Writes the log returns of a path of several assets. */
function growSeveral(
  growth: Float64Array,
  { normals, from, to, sign, length }: PathBlock,
  { means, lower }: Pick<ReturnLaw, 'means' | 'lower'>,
): void {
  const assets = means.length;
  for (let t = 0; t < length; t += assets)
    for (let a = 0; a < assets; a += 1) {
      let moved = 0;
      const row = a * assets;
      for (let k = 0; k <= a; k += 1) moved += lower[row + k]! * normals[from + t + k]!;
      growth[to + t + a] = means[a]! + sign * moved;
    }
}

/**
 * Converts normals to Student t variates of unit variance. The assets of a month share a chi-square
 * variate.
 */
function widen(
  normals: Float64Array,
  variates: Float64Array,
  { assets, degrees }: { assets: number; degrees: number },
): void {
  for (let month = 0; month < variates.length; month += 1) {
    const factor = Math.sqrt((degrees - 2) / variates[month]!);
    for (let at = month * assets; at < (month + 1) * assets; at += 1) normals[at]! *= factor;
  }
}

/** Maximum number of growth factors that are drawn at a time. */
const BLOCK_CELLS = 131_072;

/**
 * Returns a function that draws the growth of the assets for some paths at a time, and writes the growth of
 * the portfolio. `fill` writes path by path, month by month, asset by asset.
 */
export function inBlocks(
  allocation: Allocation,
  horizon: number,
  fill: (growth: Float64Array, first: number, count: number) => void,
): DrawGrowth {
  const size = horizon * allocation.assets;
  // An even number of paths, so that both paths of an antithetic pair are drawn together.
  const paths = Math.max(2, 2 * Math.floor(BLOCK_CELLS / size / 2));
  const growth = new Float64Array(allocation.assets === 1 ? 0 : paths * size);
  const at = Int32Array.from({ length: paths * horizon }, (_, month) => month * allocation.assets);
  return (out, first, count) => {
    for (let done = 0; done < count; done += paths) {
      const some = Math.min(paths, count - done);
      if (allocation.assets === 1) {
        const part = out.subarray(done * horizon, (done + some) * horizon);
        fill(part, first + done, some);
        if (allocation.fee < 1)
          for (let month = 0; month < part.length; month += 1) part[month]! *= allocation.fee;
        continue;
      }
      fill(growth.subarray(0, some * size), first + done, some);
      portfolioGrowth(out.subarray(done * horizon, (done + some) * horizon), { growth, at }, allocation);
    }
  };
}
