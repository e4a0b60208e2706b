/**
 * The description of a forecasting method, for callers and for the model registry. `method-pool.ts` maps each
 * method to its implementation, so that this catalogue does not load numerical code.
 */
export type MethodDescription = {
  key: string;
  family: 'naive' | 'smoothing' | 'theta' | 'arima' | 'intermittent' | 'decomposition' | 'network';
  title: string;
  /** Description of the series that the method supports. */
  takes: string;
};

/** Key of the combination of all methods. */
export const COMBINATION = 'combination';

/** All methods of the pool, in the order of the results. */
export const methodCatalogue: readonly MethodDescription[] = [
  { key: 'naive', family: 'naive', title: 'The last value', takes: 'any series' },
  {
    key: 'seasonal_naive',
    family: 'naive',
    title: 'The value one season earlier',
    takes: 'at least one season',
  },
  { key: 'naive2', family: 'naive', title: 'The last value, seasonally adjusted', takes: 'any series' },
  { key: 'drift', family: 'naive', title: 'The line from the first value to the last', takes: 'any series' },
  { key: 'ses', family: 'smoothing', title: 'Simple exponential smoothing', takes: 'any series' },
  { key: 'holt', family: 'smoothing', title: 'Linear trend by Holt', takes: 'any series' },
  { key: 'damped_holt', family: 'smoothing', title: 'Damped trend by Holt', takes: 'any series' },
  {
    key: 'damped_holt_box_cox',
    family: 'smoothing',
    title: 'Damped trend by Holt on the Box-Cox scale',
    takes: 'positive values',
  },
  { key: 'theta', family: 'theta', title: 'Theta', takes: 'any series' },
  { key: 'theta_box_cox', family: 'theta', title: 'Theta on the Box-Cox scale', takes: 'positive values' },
  { key: 'dynamic_theta', family: 'theta', title: 'Dynamic optimised Theta', takes: 'any series' },
  {
    key: 'dynamic_theta_box_cox',
    family: 'theta',
    title: 'Dynamic optimised Theta on the Box-Cox scale',
    takes: 'positive values',
  },
  {
    key: 'holt_winters_additive',
    family: 'smoothing',
    title: 'Holt-Winters, additive season',
    takes: 'a season',
  },
  {
    key: 'holt_winters_multiplicative',
    family: 'smoothing',
    title: 'Holt-Winters, multiplicative season',
    takes: 'any series; additive if values are not positive',
  },
  {
    key: 'holt_winters_damped',
    family: 'smoothing',
    title: 'Holt-Winters, damped trend and multiplicative season',
    takes: 'any series; additive if values are not positive',
  },
  {
    key: 'ets',
    family: 'smoothing',
    title: 'Exponential smoothing, form chosen by AICc',
    takes: 'any series',
  },
  {
    key: 'arima',
    family: 'arima',
    title: 'Seasonal ARIMA, orders chosen by AICc',
    takes: 'any series',
  },
  { key: 'ces', family: 'smoothing', title: 'Complex exponential smoothing', takes: 'any series' },
  {
    key: 'ces_adjusted',
    family: 'smoothing',
    title: 'Complex exponential smoothing on the seasonally adjusted series',
    takes: 'a season',
  },
  {
    key: 'arima_adjusted',
    family: 'arima',
    title: 'ARIMA on the seasonally adjusted series',
    takes: 'a season',
  },
  {
    key: 'mstl_ets',
    family: 'decomposition',
    title: 'Exponential smoothing on the STL seasonally adjusted series',
    takes: 'more than two seasons',
  },
  {
    key: 'mstl_arima',
    family: 'decomposition',
    title: 'ARIMA on the STL seasonally adjusted series',
    takes: 'more than two seasons',
  },
  {
    key: 'mstl_theta',
    family: 'decomposition',
    title: 'Theta on the STL seasonally adjusted series',
    takes: 'more than two seasons',
  },
  {
    key: 'croston',
    family: 'intermittent',
    title: 'Demand per period by Croston',
    takes: 'no negative values, more than 30 % zeros',
  },
  {
    key: 'sba',
    family: 'intermittent',
    title: 'Demand per period by Syntetos and Boylan',
    takes: 'no negative values, more than 30 % zeros',
  },
  {
    key: 'tsb',
    family: 'intermittent',
    title: 'Demand per period by Teunter, Syntetos and Babai',
    takes: 'no negative values, more than 30 % zeros',
  },
  {
    key: 'pooled_network',
    family: 'network',
    title: 'Neural networks trained on other series of the same frequency',
    takes: 'positive values, yearly, quarterly or monthly',
  },
];

/** Valid values for the method of a forecast. */
export const methodKeys: readonly string[] = [COMBINATION, ...methodCatalogue.map(({ key }) => key)];
