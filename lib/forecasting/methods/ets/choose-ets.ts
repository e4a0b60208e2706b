import type { Series } from '../method.ts';
import { estimateEts, type EtsEstimate } from './estimate-ets.ts';
import { admissibleForms, countParameters, type EtsForm } from './ets-form.ts';

/**
 * Returns the admissible form with the smallest AICc. Of forms with an equal AICc, the first is chosen. Values must be
 * near 1 (`scaleToUnit`). If the series is too short to compare forms, returns the form with only a level.
 */
export function chooseEts(series: Series): EtsForm {
  let best: EtsForm = { name: 'ets', error: 'A', trend: 'N', season: 'N' };
  let min = Infinity;
  for (const form of admissibleForms(series)) {
    const value = corrected(estimateEts(series.values, series.period, form), series);
    if (value < min) [min, best] = [value, form];
  }
  return best;
}

/**
 * Returns Akaike's criterion with the correction for short series. Source: Hurvich and Tsai, Biometrika 76 (1989)
 * 297-307.
 */
export function corrected({ objective, form }: EtsEstimate, { values, period }: Series): number {
  const k = countParameters(form, period) + 1;
  return objective + 2 * k + (2 * k * (k + 1)) / (values.length - k - 1);
}
