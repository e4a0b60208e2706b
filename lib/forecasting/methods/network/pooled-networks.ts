import type { RectifierNetwork } from '#lib/numerics/prediction/rectifier-network.ts';
import learned from './pooled-networks.json' with { type: 'json' };

/**
 * Networks that forecast `horizon` values from the last `lags` values. `center` and `spread` standardise the inputs;
 * `sizes` has the typical size of each output.
 */
export type PooledNetworks = Readonly<{
  period: number;
  lags: number;
  horizon: number;
  center: readonly number[];
  spread: readonly number[];
  sizes: readonly number[];
  networks: readonly RectifierNetwork[];
}>;

const byPeriod: ReadonlyMap<number, PooledNetworks> = new Map(learned.map((each) => [each.period, each]));

/**
 * Returns the networks for series with a season length: 1 (yearly), 4 or 12. Returns undefined for other season
 * lengths. `test/bench/forecast/train-networks.py` made the networks.
 */
export function pooledNetworksOf(period: number): PooledNetworks | undefined {
  return byPeriod.get(period);
}
