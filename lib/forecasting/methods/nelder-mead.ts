/**
 * Options of a search. `lower` and `upper` bound each coordinate by clipping (default: no bounds). `steps` are the
 * edges of the first simplex along each coordinate (default: a tenth of the start, or 0.1 for a start of 0). The search
 * ends when the values of the simplex are within `tolerance` of each other, relative to their size (default 1e-8), or
 * after `iterations` (default 200 per coordinate).
 */
export type NelderMeadOptions = {
  lower?: ArrayLike<number>;
  upper?: ArrayLike<number>;
  steps?: ArrayLike<number>;
  tolerance?: number;
  iterations?: number;
};

export type Minimum = { x: Float64Array; value: number; iterations: number; converged: boolean };

/** A simplex of `k + 1` corners in rows, with its values and working memory for a step. */
type Simplex = {
  k: number;
  corners: Float64Array[];
  values: Float64Array;
  centre: Float64Array;
  trial: Float64Array;
  other: Float64Array;
  lower: ArrayLike<number> | undefined;
  upper: ArrayLike<number> | undefined;
};

/**
 * Minimises a function of k variables within bounds, without derivatives. The same start gives the same bits. Nothing
 * is allocated after the first simplex. A value that is not a number counts as infinite. `objective` must not keep the
 * array it is given. With k = 0, or if no corner has a finite value, the start is returned unchanged.
 *
 * Never throws.
 * Source: Nelder and Mead, "A simplex method for function minimization", The Computer Journal 7 (1965) 308-313, with
 * coefficients 1, 2, 1/2 and 1/2, in the form of Lagarias et al., SIAM J. Optim. 9 (1998) 112-147; points outside the
 * bounds are moved back coordinate by coordinate (Box, 1965).
 *
 * @example
 * nelderMead((x) => (x[0]! - 3) ** 2, [0]).x; // [3.0000...]
 */
export function nelderMead(
  objective: (x: Float64Array) => number,
  start: ArrayLike<number>,
  options: NelderMeadOptions = {},
): Minimum {
  const simplex = firstSimplex(objective, start, options);
  const { k, values } = simplex;
  const max = options.iterations ?? 200 * k;
  const tolerance = options.tolerance ?? 1e-8;
  let iterations = 0;
  let converged = k === 0;
  while (!converged && iterations < max) {
    order(simplex);
    if (values[0] === Infinity) break;
    const spread = values[k]! - values[0]!;
    converged = spread <= tolerance * (Math.abs(values[0]!) + tolerance);
    if (converged) break;
    step(simplex, objective);
    iterations += 1;
  }
  order(simplex);
  return { x: simplex.corners[0]!.slice(), value: values[0]!, iterations, converged };
}

function firstSimplex(
  objective: (x: Float64Array) => number,
  start: ArrayLike<number>,
  options: NelderMeadOptions,
): Simplex {
  const k = start.length;
  const simplex: Simplex = {
    k,
    corners: [],
    values: new Float64Array(k + 1),
    centre: new Float64Array(k),
    trial: new Float64Array(k),
    other: new Float64Array(k),
    lower: options.lower,
    upper: options.upper,
  };
  for (let row = 0; row <= k; row += 1) {
    const corner = Float64Array.from(start);
    clip(corner, simplex);
    if (row > 0) {
      const at = row - 1;
      const from = corner[at]!;
      const edge = options.steps?.[at] ?? (from === 0 ? 0.1 : 0.1 * from);
      corner[at] = from + edge;
      clip(corner, simplex);
      if (corner[at] === from) corner[at] = from - edge;
      clip(corner, simplex);
    }
    simplex.corners.push(corner);
    simplex.values[row] = evaluate(objective, corner);
  }
  return simplex;
}

/** Reflects the worst corner, then expands, contracts or shrinks. The corners must be sorted. */
function step(simplex: Simplex, objective: (x: Float64Array) => number): void {
  const { k, corners, values, trial, other } = simplex;
  const worst = corners[k]!;
  setCentre(simplex);
  along(simplex, trial, worst, -1);
  const reflected = evaluate(objective, trial);
  if (reflected < values[0]!) {
    along(simplex, other, worst, -2);
    const expanded = evaluate(objective, other);
    if (expanded < reflected) replaceWorst(simplex, other, expanded);
    else replaceWorst(simplex, trial, reflected);
    return;
  }
  if (reflected < values[k - 1]!) {
    replaceWorst(simplex, trial, reflected);
    return;
  }
  const outside = reflected < values[k]!;
  along(simplex, other, worst, outside ? -0.5 : 0.5);
  const contracted = evaluate(objective, other);
  if (contracted < (outside ? reflected : values[k]!)) replaceWorst(simplex, other, contracted);
  else shrink(simplex, objective);
}

function setCentre({ k, corners, centre }: Simplex): void {
  for (let at = 0; at < k; at += 1) {
    let sum = 0;
    for (let row = 0; row < k; row += 1) sum += corners[row]![at]!;
    centre[at] = sum / k;
  }
}

/** Writes `centre + factor (worst - centre)`, clipped to the bounds, to `into`. */
function along(simplex: Simplex, into: Float64Array, worst: Float64Array, factor: number): void {
  const { k, centre } = simplex;
  for (let at = 0; at < k; at += 1) into[at] = centre[at]! + factor * (worst[at]! - centre[at]!);
  clip(into, simplex);
}

function replaceWorst({ k, corners, values }: Simplex, by: Float64Array, value: number): void {
  corners[k]!.set(by);
  values[k] = value;
}

function shrink({ k, corners, values }: Simplex, objective: (x: Float64Array) => number): void {
  const best = corners[0]!;
  for (let row = 1; row <= k; row += 1) {
    const corner = corners[row]!;
    for (let at = 0; at < k; at += 1) corner[at] = best[at]! + 0.5 * (corner[at]! - best[at]!);
    values[row] = evaluate(objective, corner);
  }
}

/** Sorts by insertion, because the corners are nearly sorted and equal values must keep their order. */
function order({ k, corners, values }: Simplex): void {
  for (let row = 1; row <= k; row += 1) {
    const value = values[row]!;
    const corner = corners[row]!;
    let to = row;
    for (; to > 0 && values[to - 1]! > value; to -= 1) {
      values[to] = values[to - 1]!;
      corners[to] = corners[to - 1]!;
    }
    values[to] = value;
    corners[to] = corner;
  }
}

function clip(x: Float64Array, { lower, upper }: Simplex): void {
  for (let at = 0; at < x.length; at += 1) {
    if (lower && x[at]! < lower[at]!) x[at] = lower[at]!;
    if (upper && x[at]! > upper[at]!) x[at] = upper[at]!;
  }
}

function evaluate(objective: (x: Float64Array) => number, x: Float64Array): number {
  const value = objective(x);
  return value === value ? value : Infinity;
}
