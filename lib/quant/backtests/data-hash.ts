import { canonicalHash } from '#lib/core/seal.ts';
import { textOfBars } from '#lib/data/price-bars.ts';
import type { StrategyData } from '../strategies/strategy-data.ts';

/**
 * Returns the SHA-256 of the data of a strategy. The hashed document contains the hashes of all prices and
 * feature values.
 */
export function dataHash({ prices, features, ...rest }: StrategyData): string {
  return canonicalHash({
    ...rest,
    prices: prices.map((each) => canonicalHash({ ...each, bars: textOfBars(each) })),
    features: features.map(({ entities, ...feature }) => ({
      ...feature,
      entities: entities.map(canonicalHash),
    })),
  });
}
