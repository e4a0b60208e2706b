import { canonicalHash } from '#lib/core/seal.ts';
import { dataHash } from '../../backtests/data-hash.ts';
import type { StrategyData } from '../../strategies/strategy-data.ts';

/**
 * The data of a tournament of strategies: the sets of data and, for each entry and the baseline, the index of its set.
 */
export type StrategiesData = { sets: StrategyData[]; setOf: number[] };

/** Returns the SHA-256 of the data of all entries. */
export function strategiesHash({ sets, setOf }: StrategiesData): string {
  const hashes = sets.map(dataHash);
  return canonicalHash(setOf.map((set) => hashes[set]!));
}
