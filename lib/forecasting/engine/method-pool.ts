import { arimaMethods } from '#lib/forecasting/methods/arima-methods.ts';
import type { ForecastMethod } from '#lib/forecasting/methods/method.ts';
import { smoothingMethods } from '#lib/forecasting/methods/smoothing-methods.ts';
import { methodCatalogue, type MethodDescription } from './method-catalogue.ts';

/** A method with what computes it. */
export type PoolMethod = MethodDescription & { method: ForecastMethod };

const computed: readonly ForecastMethod[] = [...smoothingMethods, ...arimaMethods];

/** Every method of the catalogue, in its order. */
export const methodPool: readonly PoolMethod[] = methodCatalogue.map((description) => {
  const method = computed.find(({ key }) => key === description.key);
  if (!method) throw new Error(`nothing computes the method ${description.key}`);
  return { ...description, method };
});

/** Quick methods of different kinds, by whose backtest a treatment of the series is judged. */
export const treatmentPanel: readonly ForecastMethod[] = computed.filter(({ key }) =>
  ['ses', 'damped_holt', 'theta'].includes(key),
);
