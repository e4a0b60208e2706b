import type { EtsForm } from './ets/ets-form.ts';
import { reduceForm } from './ets/ets-form.ts';
import { fitEts } from './ets/ets-method.ts';
import type { ForecastMethod } from './method.ts';
import { scaleToUnit } from './unit-scale.ts';

/** Exponential smoothing with level, trend and additive season, with additive errors. */
export const holtWintersAdditive = fixed('holt_winters_additive', { error: 'A', trend: 'A', season: 'A' });

/** Exponential smoothing with level, trend and multiplicative season, with multiplicative errors. */
export const holtWintersMultiplicative = fixed('holt_winters_multiplicative', {
  error: 'M',
  trend: 'A',
  season: 'M',
});

/** Exponential smoothing with level, damped trend and multiplicative season, with multiplicative errors. */
export const holtWintersDamped = fixed('holt_winters_damped', { error: 'M', trend: 'Ad', season: 'M' });

/**
 * Returns one form of exponential smoothing, reduced to the parts that the series supports: no season below two cycles,
 * and additive parts if a value is not positive.
 *
 * Source: Winters, "Forecasting sales by exponentially weighted moving averages", Management Science 6 (1960) 324-342,
 * as models of Hyndman, Koehler, Ord and Snyder (2008), table 2.1.
 */
function fixed(key: string, parts: Pick<EtsForm, 'error' | 'trend' | 'season'>): ForecastMethod<EtsForm> {
  return {
    key,
    serves: ({ values }) => values.length >= 2,
    choose: ({ values, period }) =>
      reduceForm({ name: key, ...parts }, { values: scaleToUnit(values).values, period }),
    fit: fitEts,
  };
}
