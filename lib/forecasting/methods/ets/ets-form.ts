import type { Series } from '../method.ts';

export type EtsError = 'A' | 'M';
export type EtsTrend = 'N' | 'A' | 'Ad';
export type EtsSeason = 'N' | 'A' | 'M';

/**
 * An exponential smoothing model by its parts, in the taxonomy of Hyndman et al.: A additive, M multiplicative, N
 * none, Ad additive and damped.
 */
export type EtsForm = Readonly<{ name: string; error: EtsError; trend: EtsTrend; season: EtsSeason }>;

/** Maximum season length. Longer seasons have more initial states than the likelihood can estimate. */
const PERIOD_MAX = 24;

/** Counts the coefficients and free initial states. Seasonal states have one constraint. */
export function countParameters({ trend, season }: EtsForm, period: number): number {
  const ofTrend = trend === 'N' ? 0 : trend === 'A' ? 2 : 3;
  return 2 + ofTrend + (season === 'N' ? 0 : period);
}

/**
 * Returns all forms that the series supports. Multiplicative parts need positive values. Seasons need two cycles. An
 * additive error never has a multiplicative season, because its variance can be infinite. Forms with too many
 * parameters for the correction of AICc are left out.
 *
 * Source: Hyndman, Koehler, Ord and Snyder, "Forecasting with Exponential Smoothing" (2008), chapters 2 and 15.
 */
export function admissibleForms(series: Series, name = 'ets'): EtsForm[] {
  const isPositive = allPositive(series.values);
  const errors: EtsError[] = isPositive ? ['A', 'M'] : ['A'];
  const trends: EtsTrend[] = ['N', 'A', 'Ad'];
  const seasons: EtsSeason[] = isPositive ? ['N', 'A', 'M'] : ['N', 'A'];
  const forms: EtsForm[] = [];
  for (const error of errors)
    for (const trend of trends)
      for (const season of seasons) {
        const form = { name, error, trend, season };
        if (error === 'A' && season === 'M') continue;
        if (season !== 'N' && !carriesSeason(series)) continue;
        if (series.values.length < countParameters(form, series.period) + 3) continue;
        forms.push(form);
      }
  return forms;
}

/** Returns the form without the parts that a shorter series does not support. */
export function reduceForm(form: EtsForm, series: Series): EtsForm {
  const isPositive = allPositive(series.values);
  const season = form.season === 'M' && !isPositive ? 'A' : form.season;
  const error = isPositive ? form.error : 'A';
  const reduced = { ...form, error, season: carriesSeason(series) ? season : 'N' } as const;
  return series.values.length < 4 ? { ...reduced, trend: 'N' } : reduced;
}

function carriesSeason({ values, period }: Series): boolean {
  return period > 1 && period <= PERIOD_MAX && values.length >= 2 * period + 2;
}

export function allPositive(values: Float64Array): boolean {
  for (let t = 0; t < values.length; t += 1) if (!(values[t]! > 0)) return false;
  return true;
}
