import { arimaMethods } from '#lib/forecasting/methods/arima-methods.ts';
import type { ForecastMethod } from '#lib/forecasting/methods/method.ts';
import { pooledNetwork } from '#lib/forecasting/methods/network/pooled-network.ts';
import { smoothingMethods } from '#lib/forecasting/methods/smoothing-methods.ts';
import type { ForecastModel } from './forecast-models.ts';
import { methodCatalogue, type MethodDescription } from './method-catalogue.ts';

/** A method with its implementation. */
export type PoolMethod = MethodDescription & { method: ForecastMethod };

const computed: readonly ForecastMethod[] = [...smoothingMethods, ...arimaMethods, pooledNetwork];

/** Every method of the catalogue, in its order. */
export const methodPool: readonly PoolMethod[] = methodCatalogue.map((description) => {
  const method = computed.find(({ key }) => key === description.key);
  if (!method) throw new Error(`the method ${description.key} has no implementation`);
  return { ...description, method };
});

/** Returns the methods of a model. Version 1 has no networks. */
export function methodPoolOf(model: ForecastModel): readonly PoolMethod[] {
  if (model !== 'svc_forecast_combination_v1') return methodPool;
  return methodPool.filter(({ family }) => family !== 'network');
}

/** Methods with a costly fit that have a weight for few frequencies only. */
const WITH_WEIGHT_ONLY: ReadonlySet<string> = new Set(['mstl_arima', 'mstl_theta']);

/**
 * Returns the methods that a forecast runs. From version 3 on, a method in `WITH_WEIGHT_ONLY` is run only if its prior
 * weight is above 0 or if it is requested. Methods with weight 0 change neither the points nor the intervals of the
 * combination.
 */
export function methodsToRun(
  model: ForecastModel,
  { priors, method }: { priors: Readonly<Record<string, number>>; method: string },
): readonly PoolMethod[] {
  const pool = methodPoolOf(model);
  if (model === 'svc_forecast_combination_v1' || model === 'svc_forecast_combination_v2') return pool;
  return pool.filter(({ key }) => !WITH_WEIGHT_ONLY.has(key) || key === method || (priors[key] ?? 0) > 0);
}

/**
 * The panel: fast methods of different kinds. Their backtest decides whether a treatment improves the forecasts of a
 * series.
 */
export const treatmentPanel: readonly ForecastMethod[] = computed.filter(({ key }) =>
  ['ses', 'damped_holt', 'theta'].includes(key),
);
