import { ln } from '#lib/numerics/natural-log.ts';
import { inUnit, onAdjusted } from '../adjusted-method.ts';
import type { Fit, Form, ForecastMethod, Series } from '../method.ts';
import { scaleToUnit } from '../unit-scale.ts';
import { estimateCes, type CesEstimate } from './estimate-ces.ts';
import { forecastCes } from './forecast-ces.ts';
import type { CesSeason } from './ces-run.ts';

export type CesForm = Form & Readonly<{ name: string; season: CesSeason }>;

/** Maximum season length. Longer seasons have more initial states than the likelihood can estimate. */
const PERIOD_MAX = 24;

/** Complex exponential smoothing. AICc chooses the type of season. */
export const ces: ForecastMethod<CesForm> = {
  key: 'ces',
  serves: ({ values }) => values.length >= 3,
  choose: chooseCes,
  fit: ({ values, period }, { season }) => {
    const scaled = scaleToUnit(values);
    const kind = carriesSeason({ values, period }) ? season : 'none';
    return fitOf(estimateCes(scaled.values, period, kind), scaled.unit);
  },
};

/** Complex exponential smoothing without a season, on the seasonally adjusted series. */
export const cesAdjusted = onAdjusted({
  key: 'ces_adjusted',
  observationsMin: 3,
  estimate: (values) => fitOf(estimateCes(values, 1, 'none'), 1),
});

function chooseCes(series: Series): CesForm {
  const { values } = scaleToUnit(series.values);
  const kinds: CesSeason[] = carriesSeason(series) ? ['none', 'simple', 'partial', 'full'] : ['none'];
  let [season, min]: [CesSeason, number] = ['none', Infinity];
  for (const kind of kinds) {
    const estimate = estimateCes(values, series.period, kind);
    const k = estimate.size + 1;
    const freedom = values.length - k - 1;
    if (freedom <= 0) continue;
    const criterion = estimate.objective + 2 * k + (2 * k * (k + 1)) / freedom;
    if (criterion < min) [season, min] = [kind, criterion];
  }
  return { name: 'ces', season };
}

function carriesSeason({ values, period }: Series): boolean {
  return period > 1 && period <= PERIOD_MAX && values.length >= 2 * period + 2;
}

function fitOf(estimate: CesEstimate, unit: number): Fit {
  const { run } = estimate;
  return {
    parameters: {
      ...(run.kind !== 'simple' && { alpha_real: run.a0, alpha_imaginary: run.a1 }),
      ...(run.kind !== 'none' && { beta_real: run.b0 }),
      ...((run.kind === 'simple' || run.kind === 'full') && { beta_imaginary: run.b1 }),
    },
    logLikelihood: -0.5 * estimate.objective - run.n * ln(unit),
    forecast: (horizon) => inUnit(forecastCes(estimate, horizon), unit),
  };
}
