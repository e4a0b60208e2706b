import { solvePositive } from '../solve-positive.ts';

/**
 * Step sizes of the numeric derivatives: central differences for the first derivatives, wider differences for the
 * second derivatives.
 */
const STEP = 1e-5;
const WIDE_STEP = 1e-3;

/**
 * Returns the minimum near a start, found by at most `iterations` Newton steps with numeric derivatives.
 *
 * The steps end early if the Hessian is not positive definite, or if a step would increase the value. A
 * function that is exact to 1e-14 gives the minimum to about 1e-8. Source: Nocedal and Wright, "Numerical
 * Optimization", 2nd edition, 3.3 (Newton), 8.1 (differences).
 */
export function polish(
  objective: (x: Float64Array) => number,
  start: Float64Array,
  iterations: number,
): Float64Array {
  const k = start.length;
  const x = start.slice();
  if (k === 0) return x;
  const gradient = new Float64Array(k);
  const hessian = new Float64Array(k * k);
  const step = new Float64Array(k);
  let value = objective(x);
  for (let iteration = 0; iteration < iterations; iteration++) {
    differentiate(objective, x, value, gradient, hessian);
    if (!solvePositive(hessian, k, gradient, step)) break;
    const next = x.map((at, i) => at - step[i]!);
    const reached = objective(next);
    if (!(reached <= value)) break;
    x.set(next);
    value = reached;
    if (step.every((change, i) => Math.abs(change) < 1e-9 * (1 + Math.abs(x[i]!)))) break;
  }
  return x;
}

function differentiate(
  objective: (x: Float64Array) => number,
  x: Float64Array,
  value: number,
  gradient: Float64Array,
  hessian: Float64Array,
): void {
  const k = x.length;
  const trial = x.slice();
  const at = (i: number, hi: number, j = i, hj = 0): number => {
    trial[i] = trial[i]! + hi;
    trial[j] = trial[j]! + hj;
    const found = objective(trial);
    trial[i] = x[i]!;
    trial[j] = x[j]!;
    return found;
  };
  const wide = x.map((each) => WIDE_STEP * (1 + Math.abs(each)));
  const up = wide.map((h, i) => at(i, h));
  const down = wide.map((h, i) => at(i, -h));
  for (let i = 0; i < k; i++) {
    const h = STEP * (1 + Math.abs(x[i]!));
    gradient[i] = (at(i, h) - at(i, -h)) / (2 * h);
    hessian[i * k + i] = (up[i]! - 2 * value + down[i]!) / (wide[i]! * wide[i]!);
    for (let j = 0; j < i; j++) {
      const both = at(i, wide[i]!, j, wide[j]!) + at(i, -wide[i]!, j, -wide[j]!);
      const alone = up[i]! + down[i]! + up[j]! + down[j]!;
      hessian[i * k + j] = hessian[j * k + i] = (both - alone + 2 * value) / (2 * wide[i]! * wide[j]!);
    }
  }
}
