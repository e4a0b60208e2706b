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
  { key: 'seasonal_naive', family: 'naive', title: 'The value a season before', takes: 'more than a season' },
  { key: 'drift', family: 'naive', title: 'The line from the first value to the last', takes: 'any series' },
];

/** What a caller may name as the method of a forecast. */
export const methodKeys: readonly string[] = [COMBINATION, ...methodCatalogue.map(({ key }) => key)];
