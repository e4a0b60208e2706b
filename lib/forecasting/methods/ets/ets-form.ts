import type { Series } from '../method.ts';

export type EtsError = 'A' | 'M';
export type EtsTrend = 'N' | 'A' | 'Ad';
export type EtsSeason = 'N' | 'A' | 'M';

/**
 * An exponential smoothing model by its parts, as in the taxonomy of Hyndman et al.: A additive, M multiplicative, N
 * none, Ad additive and damped.
 */
export type EtsForm = Readonly<{ name: string; error: EtsError; trend: EtsTrend; season: EtsSeason }>;

/** Longer seasons have more initial states than a likelihood can carry. */
const PERIOD_MAX = 24;

/** Coefficients and free initial states: seasonal states have one constraint. */
export function countParameters({ trend, season }: EtsForm, period: number): number {
  const ofTrend = trend === 'N' ? 0 : trend === 'A' ? 2 : 3;
  return 2 + ofTrend + (season === 'N' ? 0 : period);
}

/**
 * All forms that the series can carry: multiplicative parts for positive values alone, seasons where there are two
 * cycles, never an additive error with a multiplicative season (its variance can be infinite), and only as many
 * parameters as AICc can weigh.
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

/** The form without what a shorter series can no longer carry. */
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
