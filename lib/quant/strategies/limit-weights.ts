/**
 * Maximum number of passes; excess that then remains stays in cash. Each pass exhausts at least one limit.
 */
const PASSES_MAX = 200;
/** Excess below this amount counts as a rounding error. */
const EXCESS_MIN = 1e-12;

export type WeightLimits = {
  /** Maximum absolute weight of a symbol. */
  weightMax: number;
  /**
   * Groups, each with the maximum for the sum of the absolute weights of its members. A symbol may be in several
   * groups.
   */
  groups: readonly { members: readonly number[]; max: number }[];
};

/**
 * Returns weights within limits. A weight or group above its limit is reduced to the limit, and the excess goes to the
 * symbols whose limits leave room, in proportion to their weights. Excess without room stays in cash. Long and short
 * positions are limited separately, and each side keeps its sum if there is enough room.
 *
 * Example: the weights 0.6, 0.3 and 0.1 with a limit of 0.5 become 0.5, 0.375 and 0.125.
 */
export function limitWeights(weights: Float64Array, limits: WeightLimits): Float64Array {
  const sideOf = (sign: 1 | -1) =>
    limitSide(
      weights.map((weight) => Math.max(sign * weight, 0)),
      limits,
    );
  const longs = sideOf(1);
  const shorts = sideOf(-1);
  return longs.map((long, k) => (long > 0 ? long : 0 - shorts[k]!) + 0);
}

function limitSide(wanted: Float64Array, { weightMax, groups }: WeightLimits): Float64Array {
  const weights = wanted.slice();
  const total = sumOf(weights);
  const isClosed = new Uint8Array(weights.length);
  for (let pass = 0; pass < PASSES_MAX; pass += 1) {
    for (let k = 0; k < weights.length; k += 1) {
      if (weights[k]! < weightMax - EXCESS_MIN) continue;
      weights[k] = Math.min(weights[k]!, weightMax);
      isClosed[k] = 1;
    }
    for (const { members, max } of groups) {
      const held = members.reduce((sum, k) => sum + weights[k]!, 0);
      if (held < max - EXCESS_MIN) continue;
      for (const k of members) {
        if (held > max) weights[k]! *= max / held;
        isClosed[k] = 1;
      }
    }
    const excess = total - sumOf(weights);
    let open = 0;
    for (let k = 0; k < weights.length; k += 1) if (isClosed[k] === 0) open += weights[k]!;
    if (excess <= EXCESS_MIN || open <= 0) break;
    for (let k = 0; k < weights.length; k += 1) if (isClosed[k] === 0) weights[k]! *= 1 + excess / open;
  }
  return withinLimits(weights, { weightMax, groups });
}

/** Reduces the weights that are above a limit after the last pass. */
function withinLimits(weights: Float64Array, { weightMax, groups }: WeightLimits): Float64Array {
  for (let k = 0; k < weights.length; k += 1) weights[k] = Math.min(weights[k]!, weightMax);
  for (const { members, max } of groups) {
    const held = members.reduce((sum, k) => sum + weights[k]!, 0);
    if (held > max) for (const k of members) weights[k]! *= max / held;
  }
  return weights;
}

function sumOf(values: Float64Array): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
