/** A method as it is offered and registered; `method-pool.ts` says what computes it. Loads no numerics. */
export type MethodDescription = {
  key: string;
  family: 'naive' | 'smoothing' | 'theta' | 'arima' | 'intermittent' | 'decomposition';
  title: string;
  /** The series that it can take, in words. */
  takes: string;
};

/** The key under which the combination of all methods is asked for. */
export const COMBINATION = 'combination';

/** Every method of the pool, in the order in which results name them. */
export const methodCatalogue: readonly MethodDescription[] = [
  { key: 'naive', family: 'naive', title: 'The last value', takes: 'any series' },
  { key: 'seasonal_naive', family: 'naive', title: 'The value a season before', takes: 'at least a season' },
  { key: 'naive2', family: 'naive', title: 'The last value, with the season', takes: 'any series' },
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
    takes: 'any series; additive where values are not positive',
  },
  {
    key: 'holt_winters_damped',
    family: 'smoothing',
    title: 'Holt-Winters, damped trend and multiplicative season',
    takes: 'any series; additive where values are not positive',
  },
  {
    key: 'ets',
    family: 'smoothing',
    title: 'Exponential smoothing, form by AICc',
    takes: 'any series',
  },
  {
    key: 'arima',
    family: 'arima',
    title: 'Seasonal ARIMA, orders by AICc',
    takes: 'any series',
  },
  { key: 'ces', family: 'smoothing', title: 'Complex exponential smoothing', takes: 'any series' },
  {
    key: 'ces_adjusted',
    family: 'smoothing',
    title: 'Complex exponential smoothing without the season',
    takes: 'a season',
  },
  {
    key: 'arima_adjusted',
    family: 'arima',
    title: 'ARIMA without the season',
    takes: 'a season',
  },
  {
    key: 'mstl_ets',
    family: 'decomposition',
    title: 'Exponential smoothing on what STL leaves without seasons',
    takes: 'more than two seasons',
  },
  {
    key: 'mstl_arima',
    family: 'decomposition',
    title: 'ARIMA on what STL leaves without seasons',
    takes: 'more than two seasons',
  },
  {
    key: 'mstl_theta',
    family: 'decomposition',
    title: 'Theta on what STL leaves without seasons',
    takes: 'more than two seasons',
  },
  {
    key: 'croston',
    family: 'intermittent',
    title: 'Demand a period by Croston',
    takes: 'no negative values, more than 30 % zeros',
  },
  {
    key: 'sba',
    family: 'intermittent',
    title: 'Demand a period by Syntetos and Boylan',
    takes: 'no negative values, more than 30 % zeros',
  },
  {
    key: 'tsb',
    family: 'intermittent',
    title: 'Demand a period by Teunter, Syntetos and Babai',
    takes: 'no negative values, more than 30 % zeros',
  },
];

/** What a caller may name as the method of a forecast. */
export const methodKeys: readonly string[] = [COMBINATION, ...methodCatalogue.map(({ key }) => key)];
