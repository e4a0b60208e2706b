import type { Minimum } from './nelder-mead.ts';

/**
 * A function with a gradient. `gradient` is called only after `value`, and computes the gradient at the same
 * point.
 */
export type Smooth = { value(x: Float64Array): number; gradient(into: Float64Array): void };

/**
 * Options of the search. `scale` is the typical change of each coordinate, and the search uses it as the unit. The
 * search ends after `iterations`, or when two consecutive steps decrease the value by less than `tolerance` (absolute).
 */
export type BoundedBfgsOptions = {
  lower: ArrayLike<number>;
  upper: ArrayLike<number>;
  scale: ArrayLike<number>;
  tolerance?: number;
  iterations?: number;
};

const SUFFICIENT = 1e-4;
const HALVINGS = 25;

/**
 * Finds a local minimum of a smooth function within bounds, by a projected quasi-Newton method. A coordinate at a bound
 * stays fixed if a descent step would leave the bounds. The other coordinates take a BFGS step, clipped at the bounds,
 * with backtracking. A value that is not a number counts as infinite. The start is first moved within its bounds; if
 * its value is not finite, the start is returned unchanged.
 *
 * Never throws.
 * Source: Nocedal and Wright, "Numerical Optimization" (2nd ed. 2006), algorithm 6.1 with eq. 6.17 and 6.20; Bertsekas,
 * "Projected Newton methods for optimization problems with simple constraints", SIAM J. Control 20 (1982) 221-246.
 */
export function minimizeWithin(
  smooth: Smooth,
  start: ArrayLike<number>,
  options: BoundedBfgsOptions,
): Minimum {
  const { scale, tolerance = 1e-7, iterations: max = 200 } = options;
  const k = start.length;
  const lower = Float64Array.from(start, (_, at) => options.lower[at]! / scale[at]!);
  const upper = Float64Array.from(start, (_, at) => options.upper[at]! / scale[at]!);
  const point = new Float64Array(k);
  let [x, next] = [new Float64Array(k), new Float64Array(k)];
  let [g, nextG] = [new Float64Array(k), new Float64Array(k)];
  const direction = new Float64Array(k);
  const isFree = new Uint8Array(k);
  const inverse = new Float64Array(k * k);
  const product = new Float64Array(k);

  const valueAt = (z: Float64Array): number => {
    for (let i = 0; i < k; i += 1) point[i] = z[i]! * scale[i]!;
    const value = smooth.value(point);
    return value === value ? value : Infinity;
  };
  const gradientInto = (into: Float64Array): void => {
    smooth.gradient(into);
    for (let i = 0; i < k; i += 1) into[i] = into[i]! * scale[i]!;
  };
  const answer = (value: number, iterations: number, converged: boolean): Minimum => {
    const best = Float64Array.from(x, (z, i) =>
      Math.min(options.upper[i]!, Math.max(options.lower[i]!, z * scale[i]!)),
    );
    return { x: best, value, iterations, converged };
  };

  for (let i = 0; i < k; i += 1) x[i] = Math.min(upper[i]!, Math.max(lower[i]!, start[i]! / scale[i]!));
  let value = valueAt(x);
  if (!(value < Infinity) || k === 0) return answer(value, 0, k === 0);
  gradientInto(g);
  let isFresh = true;
  let small = 0;
  for (let iteration = 0; iteration < max; iteration += 1) {
    setFree(isFree, x, g, lower, upper);
    if (isFresh) reset(inverse, k, g);
    let slope = descend(inverse, g, isFree, direction);
    if (!(slope < 0)) {
      if (isFresh) return answer(value, iteration, true);
      isFresh = true;
      continue;
    }
    let length = 1;
    let trial = Infinity;
    let halvings = 0;
    for (; halvings < HALVINGS; halvings += 1) {
      slope = 0;
      for (let i = 0; i < k; i += 1) {
        const to = Math.min(upper[i]!, Math.max(lower[i]!, x[i]! + length * direction[i]!));
        next[i] = to;
        slope += g[i]! * (to - x[i]!);
      }
      trial = valueAt(next);
      if (trial <= value + SUFFICIENT * slope) break;
      length *= shorter(value, trial, slope);
    }
    if (halvings === HALVINGS) {
      if (isFresh) return answer(value, iteration, true);
      isFresh = true;
      continue;
    }
    gradientInto(nextG);
    update(inverse, product, { x, next, g, nextG, isFree, isFresh });
    isFresh = false;
    small = value - trial < tolerance ? small + 1 : 0;
    [x, next] = [next, x];
    [g, nextG] = [nextG, g];
    value = trial;
    if (small === 2) return answer(value, iteration + 1, true);
  }
  return answer(value, max, false);
}

function setFree(
  isFree: Uint8Array,
  x: Float64Array,
  g: Float64Array,
  lower: Float64Array,
  upper: Float64Array,
): void {
  for (let i = 0; i < x.length; i += 1)
    isFree[i] = (x[i]! <= lower[i]! && g[i]! > 0) || (x[i]! >= upper[i]! && g[i]! < 0) ? 0 : 1;
}

/** Resets the inverse Hessian, so that the first step follows the negative gradient for at most one unit. */
function reset(inverse: Float64Array, k: number, g: Float64Array): void {
  let squares = 0;
  for (let i = 0; i < k; i += 1) squares += g[i]! * g[i]!;
  const first = 1 / Math.max(1, Math.sqrt(squares));
  inverse.fill(0);
  for (let i = 0; i < k; i += 1) inverse[i * k + i] = first;
}

/**
 * Computes the direction `-H g` for the coordinates that are not fixed, and the slope along this direction.
 */
function descend(
  inverse: Float64Array,
  g: Float64Array,
  isFree: Uint8Array,
  direction: Float64Array,
): number {
  const k = g.length;
  let slope = 0;
  for (let i = 0; i < k; i += 1) {
    let sum = 0;
    if (isFree[i]) for (let j = 0; j < k; j += 1) if (isFree[j]) sum -= inverse[i * k + j]! * g[j]!;
    direction[i] = sum;
    slope += sum * g[i]!;
  }
  return slope;
}

/**
 * Returns the factor that shortens a step: the minimum of the parabola through the known values, clipped to
 * 0.1 and 0.5. Returns 0.25 if the value at the trial point is not finite, or if the slope is not below 0.
 */
function shorter(value: number, trial: number, slope: number): number {
  if (!(trial < Infinity) || !(slope < 0)) return 0.25;
  const lowest = -slope / (2 * (trial - value - slope));
  return Math.min(0.5, Math.max(0.1, lowest));
}

type Step = {
  x: Float64Array;
  next: Float64Array;
  g: Float64Array;
  nextG: Float64Array;
  isFree: Uint8Array;
  isFresh: boolean;
};

/** Applies the BFGS update to the inverse Hessian. Skips it if the curvature along the step is not positive. */
function update(inverse: Float64Array, product: Float64Array, step: Step): void {
  const { x, next, g, nextG, isFree } = step;
  const k = x.length;
  let [sy, yy] = [0, 0];
  for (let i = 0; i < k; i += 1) {
    x[i] = isFree[i] ? next[i]! - x[i]! : 0;
    g[i] = isFree[i] ? nextG[i]! - g[i]! : 0;
    sy += x[i]! * g[i]!;
    yy += g[i]! * g[i]!;
  }
  if (!(sy > 1e-12 * yy) || !(sy > 0)) return;
  if (step.isFresh) {
    inverse.fill(0);
    for (let i = 0; i < k; i += 1) inverse[i * k + i] = sy / yy;
  }
  let yHy = 0;
  for (let i = 0; i < k; i += 1) {
    let sum = 0;
    for (let j = 0; j < k; j += 1) sum += inverse[i * k + j]! * g[j]!;
    product[i] = sum;
    yHy += sum * g[i]!;
  }
  const factor = (1 + yHy / sy) / sy;
  for (let i = 0; i < k; i += 1)
    for (let j = 0; j < k; j += 1) {
      const at = i * k + j;
      inverse[at] = inverse[at]! + factor * x[i]! * x[j]! - (product[i]! * x[j]! + x[i]! * product[j]!) / sy;
    }
}
