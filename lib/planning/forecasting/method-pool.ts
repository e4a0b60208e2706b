import type { Fit, ForecastMethod, Series } from '#lib/numerics/forecasting/method.ts';
import { methodCatalogue, type MethodDescription } from './method-catalogue.ts';

/** A method with what computes it. */
export type PoolMethod = MethodDescription & { method: ForecastMethod };

const simple = (
  key: string,
  lagOf: (series: Series) => number,
  slopeOf: (values: Float64Array) => number,
): ForecastMethod => ({
  key,
  serves: (series) => series.values.length > lagOf(series),
  choose: () => ({ name: key }),
  fit: (series): Fit => ({
    parameters: {},
    forecast: (horizon) => repeat(series, lagOf(series), slopeOf(series.values), horizon),
  }),
});

const methods: readonly ForecastMethod[] = [
  simple(
    'naive',
    () => 1,
    () => 0,
  ),
  simple(
    'seasonal_naive',
    ({ period }) => period,
    () => 0,
  ),
  simple(
    'drift',
    () => 1,
    (values) => (values.at(-1)! - values[0]!) / (values.length - 1),
  ),
];

/** Every method of the catalogue, in its order. */
export const methodPool: readonly PoolMethod[] = methodCatalogue.map((description) => {
  const method = methods.find(({ key }) => key === description.key);
  if (!method) throw new Error(`nothing computes the method ${description.key}`);
  return { ...description, method };
});

/** Whose standard errors make the intervals; the naive method where none of them can be had. */
export const intervalMethods: readonly string[] = ['ets', 'arima', 'theta'];
export const intervalFallback = 'naive';

function repeat({ values }: Series, lag: number, slope: number, horizon: number) {
  const n = values.length;
  let squares = 0;
  for (let t = lag; t < n; t += 1) {
    const error = values[t]! - values[t - lag]! - slope;
    squares += error * error;
  }
  const sigma = Math.sqrt(squares / (n - lag));
  const point = new Float64Array(horizon);
  const standardErrors = new Float64Array(horizon);
  for (let step = 0; step < horizon; step += 1) {
    point[step] = values[n - lag + (step % lag)]! + slope * (step + 1);
    standardErrors[step] = sigma * Math.sqrt(Math.floor(step / lag) + 1);
  }
  return { point, standardErrors };
}
