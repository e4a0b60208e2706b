import { incompleteBeta } from './incomplete-beta.ts';

const STEPS = 200;

/**
 * Returns the exact confidence interval of a share (Clopper and Pearson, 1934), given `k` events in `n` trials and a
 * level such as 0.95. The bounds are quantiles of beta distributions, found by bisection to the last bit. Throws a
 * `RangeError` if `k` is not from 0 to `n`.
 */
export function clopperPearson(k: number, n: number, level = 0.95): { lower: number; upper: number } {
  if (!Number.isInteger(k) || !Number.isInteger(n) || k < 0 || k > n)
    throw new RangeError(`not a share: ${k} of ${n}`);
  if (n === 0) return { lower: 0, upper: 1 };
  const tail = (1 - level) / 2;
  return {
    lower: k === 0 ? 0 : betaQuantile(tail, k, n - k + 1),
    upper: k === n ? 1 : betaQuantile(1 - tail, k + 1, n - k),
  };
}

function betaQuantile(share: number, a: number, b: number): number {
  let [low, high] = [0, 1];
  for (let step = 0; step < STEPS; step += 1) {
    const middle = (low + high) / 2;
    if (middle === low || middle === high) break;
    if (incompleteBeta(a, b, middle) < share) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
