import { mean } from '#lib/numerics/descriptive.ts';
import { correlationT, meanTest } from '#lib/numerics/mean-test.ts';
import { neweyWestLags } from '#lib/numerics/newey-west.ts';
import { normalP, studentP } from '#lib/numerics/student-p.ts';
import type { FeatureSeries, HorizonSeries } from './experiment.ts';
import type { ExperimentInput, FeatureFinding, SeriesStatistics } from './research-runs.schema.ts';

/** Summarises the statistics of a feature over the dates. */
export function featureFinding(
  { feature, version }: { feature: string; version: number },
  series: FeatureSeries,
  input: Pick<ExperimentInput, 'target' | 'newey_west_lags'>,
): FeatureFinding {
  const lags = lagsOf(input, series.turnover.length);
  return {
    feature,
    version,
    horizons: series.horizons.map((horizon, at) => ({
      horizon_months: input.target.horizons_months[at]!,
      pairs: horizon.pairs.reduce((total, pairs) => total + pairs, 0),
      spearman: coefficientStatistics(horizon, 'spearman', lags),
      pearson: coefficientStatistics(horizon, 'pearson', lags),
      spread: seriesStatistics(horizon.spread, lags),
    })),
    turnover: meanOf(series.turnover),
  };
}

/**
 * Returns the number of Newey-West lags. Without a requested number, returns the number from `neweyWestLags`, but at
 * least `span_months` - 1.
 */
export function lagsOf(
  { target, newey_west_lags }: Pick<ExperimentInput, 'target' | 'newey_west_lags'>,
  dates: number,
): number {
  return newey_west_lags ?? Math.max(neweyWestLags(dates), target.span_months - 1);
}

/** Computes the statistics of a coefficient. For a single date, t and p belong to the correlation of that date. */
function coefficientStatistics(
  horizon: HorizonSeries,
  kind: 'spearman' | 'pearson',
  lags: number,
): SeriesStatistics {
  const statistics = seriesStatistics(horizon[kind], lags);
  if (statistics.dates !== 1) return statistics;
  const at = horizon[kind].findIndex((value) => value !== null);
  const pairs = horizon.pairs[at]!;
  const t = correlationT(horizon[kind][at]!, pairs);
  return { ...statistics, t_stat: t, p_value: t === null ? null : studentP(t, pairs - 2) };
}

function seriesStatistics(series: readonly (number | null)[], lags: number): SeriesStatistics {
  const values = series.filter((value) => value !== null);
  const test = meanTest(values, lags);
  return {
    dates: test.count,
    mean: test.mean,
    standard_deviation: test.deviation,
    t_stat: test.t,
    p_value: test.t === null ? null : studentP(test.t, test.count - 1),
    newey_west_lags: test.lags,
    newey_west_t: test.neweyWestT,
    newey_west_p: test.neweyWestT === null ? null : normalP(test.neweyWestT),
    hit_rate: values.length ? values.filter((value) => value > 0).length / values.length : null,
  };
}

function meanOf(series: readonly (number | null)[]): number | null {
  const values = series.filter((value) => value !== null);
  return values.length ? mean(values) : null;
}
