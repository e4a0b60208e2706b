import { linearRange, type LinearRange } from '#lib/numerics/optimisation/linear-range.ts';
import type { Constraints, GroupConstraint } from './construction-constraints.schema.ts';
import type { ConstructionAsset } from './construction-input.ts';
import { fault } from './construction-refusal.ts';

/** A linear limit on the weights, with the JSON pointer to the member of the request that sets the limit. */
export type WeightRow = { range: LinearRange; pointer: string };

/**
 * Returns the limits on groups as rows over the weights. In a theme group, the weight of an asset is counted in
 * proportion to its exposure to the theme. Throws a fault for a minimum above its maximum, for a list with an unknown
 * symbol, and for a group without members.
 */
export function groupRows({ groups = [] }: Constraints, assets: readonly ConstructionAsset[]): WeightRow[] {
  return groups.flatMap((group, at) => {
    const pointer = `/constraints/groups/${at}`;
    const { min = -Infinity, max = Infinity } = group;
    if (min > max) throw fault(`${pointer}/min`, 'maximum', `is ${min}, above the maximum of ${max}`);
    const coefficients = coefficientsOf(group, assets, pointer);
    if (coefficients.every((each) => each === 0))
      throw fault(pointer, 'empty', 'must contain a symbol of the universe');
    if (min === max) return [{ range: linearRange(coefficients, { min, max }), pointer }];
    return [
      ...(min > -Infinity ? [{ range: linearRange(coefficients, { min }), pointer: `${pointer}/min` }] : []),
      ...(max < Infinity ? [{ range: linearRange(coefficients, { max }), pointer: `${pointer}/max` }] : []),
    ];
  });
}

function coefficientsOf(
  group: GroupConstraint,
  assets: readonly ConstructionAsset[],
  pointer: string,
): Float64Array {
  if (group.by !== 'list') {
    const { by, name } = group;
    return Float64Array.from(assets, ({ sector, themes }) =>
      by === 'sector' ? Number(sector === name) : Object.hasOwn(themes, name) ? themes[name]! : 0,
    );
  }
  const place = new Map(assets.map(({ symbol }, k) => [symbol, k]));
  const coefficients = new Float64Array(assets.length);
  for (const [index, symbol] of group.symbols.entries()) {
    const k = place.get(symbol);
    if (k === undefined)
      throw fault(`${pointer}/symbols/${index}`, 'unknown', `names ${symbol}, which is not in the universe`);
    coefficients[k] = 1;
  }
  return coefficients;
}

/** Returns the row that requires an expected return of at least `target`. */
export function returnRow(means: Float64Array, target: number): WeightRow {
  return { range: linearRange(means, { min: target }), pointer: '/objective/target' };
}
