/**
 * A term in the distances |w_i - from_i|: a limit on their sum (two-way turnover, or gross exposure from zeros), linear
 * costs of purchases and sales, or both. Costs are fractions of the portfolio value per unit of weight. The purchase
 * cost plus the sale cost is not below 0.
 */
export type AbsoluteTerm = {
  from: Float64Array;
  max?: number;
  purchase?: Float64Array;
  sale?: Float64Array;
};

/**
 * A convex, piecewise linear cost of each variable, and a limit on a sum of distances.
 *
 * Variable i has ascending bends at `points[i]`, strictly inside its bounds. They divide its range into pieces; there
 * is one more piece than there are bends. `slopes` has the slope of each piece: piece p is between point p - 1 and
 * point p. `limit` bounds the sum of |x - from|; each `from` inside the bounds is a point, and `turn[i]` is the first
 * piece above it.
 */
export type Bends = {
  points: readonly Float64Array[];
  slopes: readonly Float64Array[];
  limit: { from: Float64Array; max: number; turn: Int32Array } | undefined;
};

type Constraints = { lower: Float64Array; upper: Float64Array; absolutes: readonly AbsoluteTerm[] };

/** Adds up terms in distances. Returns undefined if more than one of them has a limit. */
export function bendsOf({ lower, upper, absolutes }: Constraints): Bends | undefined {
  const limited = absolutes.filter(({ max }) => max !== undefined);
  if (limited.length > 1) return undefined;
  const from = limited[0]?.from;
  const points: Float64Array[] = [];
  const slopes: Float64Array[] = [];
  const turn = new Int32Array(lower.length);
  for (let i = 0; i < lower.length; i += 1) {
    const rises = new Map<number, number>();
    let slope = 0;
    for (const { from: bends, purchase, sale } of absolutes) {
      const [bend, buy, sell] = [bends[i]!, purchase?.[i] ?? 0, sale?.[i] ?? 0];
      if (bend <= lower[i]!) slope += buy;
      else slope -= sell;
      const isInside = bend > lower[i]! && bend < upper[i]!;
      if (isInside && (buy + sell > 0 || bends === from))
        rises.set(bend, (rises.get(bend) ?? 0) + buy + sell);
    }
    const own = Float64Array.from(rises.keys()).sort();
    points.push(own);
    slopes.push(Float64Array.of(slope, ...own.map((point) => (slope += rises.get(point)!))));
    if (from) while (turn[i]! <= own.length && lowEnd(own, turn[i]!, lower[i]!) < from[i]!) turn[i]! += 1;
  }
  return { points, slopes, limit: from && { from, max: limited[0]!.max!, turn } };
}

/** Multiplies the costs. Bends without a cost are left out, unless there is a limit. */
export function scaledBends(bends: Bends, factor: number): Bends {
  if (factor === 0 && !bends.limit) {
    const none = new Float64Array(0);
    return {
      ...bends,
      points: bends.points.map(() => none),
      slopes: bends.slopes.map(() => Float64Array.of(0)),
    };
  }
  return { ...bends, slopes: bends.slopes.map((each) => each.map((slope) => slope * factor)) };
}

/** Returns the start of a piece. The first piece begins at the lower bound. */
export function lowEnd(points: Float64Array, piece: number, lower: number): number {
  return piece > 0 ? points[piece - 1]! : lower;
}

/** Returns the end of a piece. The last piece ends at the upper bound. */
export function highEnd(points: Float64Array, piece: number, upper: number): number {
  return piece < points.length ? points[piece]! : upper;
}
