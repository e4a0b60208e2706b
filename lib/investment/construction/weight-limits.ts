import { fixedToNumber, minorScale } from './fixed-point.ts';
import type { ConstructionAsset } from './construction-input.ts';
import type { Constraints } from './construction-constraints.schema.ts';
import { fault } from './construction-refusal.ts';

/** Limits on the weight of each asset, with JSON pointers to the members of the request that set them. */
export type WeightLimits = {
  lower: Float64Array;
  upper: Float64Array;
  lowerPointers: string[];
  upperPointers: string[];
};

type Market = {
  assets: readonly ConstructionAsset[];
  excluded: ReadonlySet<string>;
  before: Float64Array;
  valueMinor: bigint;
  minorDigits: number;
};

/**
 * Returns the limits on the weights. Limits by symbol replace the general limits. Both limits are 0 for an asset that
 * is not eligible, is excluded or is not in `held`. Limits also follow from the volume that can be traded. With
 * `positions_max`, minimum weights above 0 apply only once the number of `held` symbols is small enough. Throws a fault
 * for a minimum below 0 without `short`, for a minimum above its maximum, for an unknown symbol, and for a missing
 * volume.
 */
export function weightLimits(
  { weight = {}, short = false, liquidity, positions_max }: Constraints,
  market: Market,
  held: ReadonlySet<string> | null,
): WeightLimits {
  const { assets, excluded } = market;
  const known = new Set(assets.map(({ symbol }) => symbol));
  for (const symbol of Object.keys(weight.by_symbol ?? {}))
    if (!known.has(symbol))
      throw fault(bySymbolPointer(symbol), 'unknown', 'names a symbol that is not in the universe');
  const limits: WeightLimits = {
    lower: new Float64Array(assets.length),
    upper: new Float64Array(assets.length),
    lowerPointers: [],
    upperPointers: [],
  };
  for (const [k, { symbol, isEligible }] of assets.entries()) {
    const own = Object.hasOwn(weight.by_symbol ?? {}, symbol) ? weight.by_symbol![symbol]! : {};
    const general = { min: weight.min ?? (short ? -1 : 0), max: weight.max ?? 1 };
    const at = (side: 'min' | 'max') =>
      own[side] === undefined ? `/constraints/weight/${side}` : `${bySymbolPointer(symbol)}/${side}`;
    let [min, max] = [own.min ?? general.min, own.max ?? general.max];
    if (min < 0 && !short)
      throw fault(at('min'), 'minimum', 'is below 0, and short positions are not permitted');
    if (min > max) throw fault(at('min'), 'maximum', `is ${min}, above the maximum of ${max}`);
    const isOut = !isEligible || excluded.has(symbol) || (held !== null && !held.has(symbol));
    if (isOut) [min, max] = [0, 0];
    else if (positions_max !== undefined && (held === null || held.size > positions_max))
      min = Math.min(min, 0);
    const out = excluded.has(symbol) ? '/excluded' : isEligible ? '/constraints/positions_max' : '/universe';
    limits.lower[k] = min;
    limits.upper[k] = max;
    limits.lowerPointers.push(isOut ? out : at('min'));
    limits.upperPointers.push(isOut ? out : at('max'));
    if (liquidity) limitByVolume(limits, k, { ...market, ...liquidity });
  }
  return limits;
}

const bySymbolPointer = (symbol: string): string =>
  `/constraints/weight/by_symbol/${symbol.replaceAll('~', '~0').replaceAll('/', '~1')}`;

function limitByVolume(
  { lower, upper, lowerPointers, upperPointers }: WeightLimits,
  k: number,
  {
    assets,
    before,
    valueMinor,
    minorDigits,
    share_of_volume = 0.2,
    days = 1,
  }: Market & NonNullable<Constraints['liquidity']>,
): void {
  const { symbol, volume, price } = assets[k]!;
  if (price === null) return; // The asset is only part of the benchmark.
  if (volume === null)
    throw fault('/constraints/liquidity', 'unknown', `needs a volume, and ${symbol} has none`);
  const amount = share_of_volume * days * volume * fixedToNumber(price) * minorScale(minorDigits);
  const share = amount / Number(valueMinor);
  if (before[k]! - share > lower[k]!) {
    lower[k] = before[k]! - share;
    lowerPointers[k] = '/constraints/liquidity';
  }
  if (before[k]! + share < upper[k]!) {
    upper[k] = before[k]! + share;
    upperPointers[k] = '/constraints/liquidity';
  }
}
