import { exp } from '#lib/numerics/exponential.ts';
import { ln } from '#lib/numerics/natural-log.ts';
import { networkOutputs } from '#lib/numerics/prediction/rectifier-network.ts';
import { onAdjusted } from '../adjusted-method.ts';
import type { Fit, ForecastMethod } from '../method.ts';
import { pooledNetworksOf, type PooledNetworks } from './pooled-networks.ts';

const OBSERVATIONS_MIN = 5;
/** Maximum absolute value of an input, and of an output in mean changes. */
const INPUT_MAX = 20;
const OUTPUT_MAX = 30;
/** Smallest mean change of logarithms that the inputs are divided by. */
const CHANGE_MIN = 1e-4;
/** The smallest value that a logarithm is taken of: the smallest normal double. */
const VALUE_MIN = 2.2250738585072014e-308;
/** Maximum absolute value of a forecast logarithm; the exponential of a larger number overflows. */
const LOG_MAX = 700;

const adjusted = onAdjusted({
  key: 'pooled_network',
  observationsMin: OBSERVATIONS_MIN,
  estimate: (values, period) => fitNetworks(values, pooledNetworksOf(period)!),
});

/**
 * The mean of small neural networks that were trained on other series of the same frequency. No parameter is estimated
 * on the series itself. Supports yearly, quarterly and monthly series of positive values.
 *
 * Source: the idea of Smyl, "A hybrid method of exponential smoothing and recurrent neural networks for time series
 * forecasting", International Journal of Forecasting 36 (2020), to train one network on all series. The networks here
 * have one hidden layer and no recurrence.
 */
export const pooledNetwork: ForecastMethod<any> = {
  ...adjusted,
  serves: (series) =>
    pooledNetworksOf(series.period) !== undefined &&
    adjusted.serves(series) &&
    series.values.every((value) => value > 0),
};

function fitNetworks(values: Float64Array, networks: PooledNetworks): Fit {
  const logs = values.map((value) => ln(Math.max(VALUE_MIN, value)));
  return {
    parameters: {},
    forecast: (horizon) => {
      const steps: number[] = [];
      // Beyond the horizon of the networks, the forecast continues from its own values.
      while (steps.length < horizon) steps.push(...nextLogs([...logs, ...steps], networks));
      return { point: Float64Array.from(steps.slice(0, horizon), exp) };
    },
  };
}

/** Returns the next logarithms: the last one plus the mean change of the window times the outputs of the networks. */
function nextLogs(logs: readonly number[], networks: PooledNetworks): Float64Array {
  const { lags, center, spread, sizes } = networks;
  const missing = Math.max(0, lags - logs.length);
  const window = [...Array.from({ length: missing }, () => logs[0]!), ...logs.slice(-lags)];
  const last = window[lags - 1]!;
  const change = meanChange(window);
  const inputs = [
    ...window.slice(0, -1).map((value) => clipped((value - last) / change, INPUT_MAX)),
    ln(change),
  ];
  const standardised = inputs.map((value, at) => (value - center[at]!) / spread[at]!);
  const sums = new Float64Array(sizes.length);
  for (const network of networks.networks)
    networkOutputs(network, standardised).forEach(
      (value, step) => (sums[step]! += clipped(value, OUTPUT_MAX)),
    );
  return sums.map((sum, step) =>
    clipped(last + change * sizes[step]! * (sum / networks.networks.length), LOG_MAX),
  );
}

function meanChange(window: readonly number[]): number {
  let total = 0;
  for (let at = 1; at < window.length; at += 1) total += Math.abs(window[at]! - window[at - 1]!);
  return total / (window.length - 1) + CHANGE_MIN;
}

function clipped(value: number, max: number): number {
  return Math.max(-max, Math.min(max, value));
}
