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

/**
 * The panel: fast methods of different kinds. Their backtest decides whether a treatment improves the forecasts of a
 * series.
 */
export const treatmentPanel: readonly ForecastMethod[] = computed.filter(({ key }) =>
  ['ses', 'damped_holt', 'theta'].includes(key),
);
