import { FORECAST_MODEL } from './engine/forecast-models.ts';
import { frequencies, type Frequency } from './engine/forecast-series.types.ts';
import { sharesOf } from './engine/learned-constants.ts';
import { methodCatalogue, type MethodDescription } from './engine/method-catalogue.ts';

/** A parameter that a method estimates. `<n>` is a number from 1. */
export type ModelParameter = { name: string; description: string };

export type StatisticalModel = MethodDescription & {
  /** The key of the registered model that the method belongs to. The method has the version of this model. */
  model: string;
  parameters: readonly ModelParameter[];
  /** Typical prior weight before the backtest, by frequency. 0 if the method is only reported for comparison. */
  prior: Readonly<Record<Frequency, number>>;
};

const words: Readonly<Record<string, string>> = {
  alpha: 'Smoothing parameter of the level.',
  beta: 'Smoothing parameter of the trend.',
  gamma: 'Smoothing parameter of the seasonal component.',
  phi: 'Damping factor of the trend per period.',
  level: 'The last level.',
  slope: 'Last change per period.',
  drift: 'Change per period.',
  theta: 'Weight of the curvature of the series.',
  'ar<n>': 'Weight of the value n periods earlier.',
  'ma<n>': 'Weight of the error n periods earlier.',
  'sar<n>': 'Weight of the value n seasons earlier.',
  'sma<n>': 'Weight of the error n seasons earlier.',
  mean: 'Mean of the series.',
  sigma: 'Standard deviation of the errors.',
  alpha_real: 'Smoothing parameter of the level, real part.',
  alpha_imaginary: 'Smoothing parameter of the level, imaginary part.',
  beta_real: 'Smoothing parameter of the season, real part.',
  beta_imaginary: 'Smoothing parameter of the season, imaginary part.',
  alpha_size: 'Smoothing parameter of the size of non-zero values.',
  alpha_interval: 'Smoothing parameter of the interval between non-zero values.',
  alpha_probability: 'Smoothing parameter of the probability of a non-zero value.',
};

const holt = ['alpha', 'beta', 'level', 'slope'];
const damped = ['alpha', 'beta', 'phi', 'level', 'slope'];
const holtWinters = ['alpha', 'beta', 'gamma', 'level', 'slope'];
const dampedHoltWinters = ['alpha', 'beta', 'gamma', 'phi', 'level', 'slope'];
const theta = ['alpha', 'drift'];
const dynamicTheta = ['alpha', 'level', 'theta'];
const arima = ['ar<n>', 'ma<n>', 'sar<n>', 'sma<n>', 'mean', 'drift', 'sigma'];
const croston = ['alpha_size', 'alpha_interval'];

/** The parameters that each method can estimate, by the key of the method. */
const estimated: Readonly<Record<string, readonly string[]>> = {
  drift: ['drift'],
  ses: ['alpha', 'level'],
  holt,
  damped_holt: damped,
  damped_holt_box_cox: damped,
  theta,
  theta_box_cox: theta,
  dynamic_theta: dynamicTheta,
  dynamic_theta_box_cox: dynamicTheta,
  holt_winters_additive: holtWinters,
  holt_winters_multiplicative: holtWinters,
  holt_winters_damped: dampedHoltWinters,
  ets: dampedHoltWinters,
  arima,
  arima_adjusted: arima,
  ces: ['alpha_real', 'alpha_imaginary', 'beta_real', 'beta_imaginary'],
  ces_adjusted: ['alpha_real', 'alpha_imaginary'],
  mstl_ets: dampedHoltWinters,
  mstl_arima: arima,
  mstl_theta: theta,
  croston,
  sba: croston,
  tsb: ['alpha_size', 'alpha_probability'],
};

/** The forecasting methods, in the order of the results. */
export const statisticalModels: readonly StatisticalModel[] = methodCatalogue.map((method) => ({
  ...method,
  model: FORECAST_MODEL,
  parameters: (estimated[method.key] ?? []).map((name) => ({ name, description: words[name]! })),
  prior: Object.fromEntries(
    frequencies.map((frequency) => [frequency, sharesOf(frequency)[method.key] ?? 0]),
  ) as Record<Frequency, number>,
}));
