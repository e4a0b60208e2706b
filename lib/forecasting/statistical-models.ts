import { FORECAST_MODEL } from './engine/forecast-result.schema.ts';
import { frequencies, type Frequency } from './engine/forecast-series.types.ts';
import { learnedOf } from './engine/learned-constants.ts';
import { methodCatalogue, type MethodDescription } from './engine/method-catalogue.ts';

/** What is estimated of a method on a series. `<n>` stands for a number from 1 on. */
export type ModelParameter = { name: string; description: string };

export type StatisticalModel = MethodDescription & {
  /** The registered model that it is a part of, and whose version is its own. */
  model: string;
  parameters: readonly ModelParameter[];
  /** Its usual share before the backtest, by frequency; 0 where it is only shown beside the others. */
  prior: Readonly<Record<Frequency, number>>;
};

const words: Readonly<Record<string, string>> = {
  alpha: 'How fast the level follows the values.',
  beta: 'How fast the trend follows the level.',
  gamma: 'How fast the season follows the values.',
  phi: 'What is left of the trend after each period.',
  level: 'The last level.',
  slope: 'The last change a period.',
  drift: 'Change a period.',
  theta: 'Weight of the curvature of the series.',
  'ar<n>': 'Weight of the value n periods before.',
  'ma<n>': 'Weight of the error n periods before.',
  'sar<n>': 'Weight of the value n seasons before.',
  'sma<n>': 'Weight of the error n seasons before.',
  mean: 'Mean of the series.',
  sigma: 'Standard deviation of the errors.',
  alpha_real: 'How fast the level follows the values: the real part.',
  alpha_imaginary: 'The imaginary part.',
  beta_real: 'How fast the season follows the values: the real part.',
  beta_imaginary: 'The imaginary part.',
  alpha_size: 'How fast the size follows the values that are not 0.',
  alpha_interval: 'How fast the time between them follows.',
  alpha_probability: 'How fast the chance of a value that is not 0 follows.',
};

const holt = ['alpha', 'beta', 'level', 'slope'];
const damped = ['alpha', 'beta', 'phi', 'level', 'slope'];
const holtWinters = ['alpha', 'beta', 'gamma', 'level', 'slope'];
const dampedHoltWinters = ['alpha', 'beta', 'gamma', 'phi', 'level', 'slope'];
const theta = ['alpha', 'drift'];
const dynamicTheta = ['alpha', 'level', 'theta'];
const arima = ['ar<n>', 'ma<n>', 'sar<n>', 'sma<n>', 'mean', 'drift', 'sigma'];
const croston = ['alpha_size', 'alpha_interval'];

/** What a method estimates at the most, by its key. */
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

/** The methods of forecasts, in the order in which results name them. */
export const statisticalModels: readonly StatisticalModel[] = methodCatalogue.map((method) => ({
  ...method,
  model: FORECAST_MODEL,
  parameters: (estimated[method.key] ?? []).map((name) => ({ name, description: words[name]! })),
  prior: Object.fromEntries(
    frequencies.map((frequency) => [frequency, learnedOf(frequency).shares[method.key] ?? 0]),
  ) as Record<Frequency, number>,
}));
