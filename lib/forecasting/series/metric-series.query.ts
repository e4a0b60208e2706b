import type { Em } from '#lib/database/base.ts';
import type { MetricDefinition } from '#lib/data/metric.ts';
import { metricSeriesKnown, type MetricSeries } from '#lib/data/metric-values.query.ts';
import type { PeriodFrequency } from '#lib/data/period.ts';
import { frequenciesByLength, canCoarsen, coarsen, type Aggregation } from './coarsen.ts';
import { economicValues } from './economic-series.query.ts';
import type { Knowledge } from './knowledge.ts';
import { ledgerSeries } from './ledger-series.query.ts';
import { metricSource } from './metric-name.ts';
import type { PeriodValue } from './period-grid.ts';

export type MetricQuestion = {
  metric: MetricDefinition;
  /** The `company_id`; null for metrics of the workspace. */
  company: number | null;
  /**
   * The requested frequency. Default: the observed frequency or, if several frequencies are observed, the first of
   * monthly, quarterly, weekly, yearly, daily.
   */
  frequency: PeriodFrequency | undefined;
  knowledge: Knowledge;
};

export type MetricValues = {
  frequency: PeriodFrequency;
  /** The unit of the values: the unit text of an economic series, otherwise the unit of the metric. */
  unit: string | null;
  currency: string | null;
  observed: PeriodValue[];
};

export type MetricAnswer =
  | { ok: true; values: MetricValues }
  | { ok: false; code: 'not_observed' }
  /** The metric is not observed at this frequency, or it has several currencies, which are never added or mixed. */
  | { ok: false; code: 'frequency_unavailable'; available: PeriodFrequency[] }
  | { ok: false; code: 'currencies_mixed'; currencies: string[] };

const preference: readonly PeriodFrequency[] = ['monthly', 'quarterly', 'weekly', 'yearly', 'daily'];

/**
 * Returns the values of a metric by period, as known at one moment. The values of company metrics are imported. Ledger
 * metrics aggregate posted transactions. The values of economic metrics come from economic series. Values imported
 * under the name of a ledger or economic metric take precedence. Periods longer than the observed periods are
 * aggregated from the observed periods: flows are summed, levels are the last value, and economic series are averaged.
 */
export async function metricValues(em: Em, question: MetricQuestion): Promise<MetricAnswer> {
  const { metric, company, frequency, knowledge } = question;
  const source = metricSource(metric.name);
  const imported = await metricSeriesKnown(em, { company, metric: metric.name, knowledge });
  const mixed = currenciesOf(imported);
  if (mixed.length > 1) return { ok: false, code: 'currencies_mixed', currencies: mixed };
  const byFrequency = new Map(imported.map((each) => [each.frequency, valuesOf(each)]));
  const [currency = null] = mixed;
  if (source.kind === 'ledger') {
    const wanted = frequency ?? 'monthly';
    const booked = await ledgerSeries(em, { ...source, frequency: wanted, at: knowledge.at });
    if (booked.length > 0) {
      const observed = merged(booked, byFrequency.get(wanted) ?? []);
      return { ok: true, values: { frequency: wanted, unit: 'money', currency: source.currency, observed } };
    }
    return chosen(byFrequency, frequency, { unit: 'money', currency: source.currency, how: howOf(metric) });
  }
  if (source.kind === 'economics' && byFrequency.size === 0) {
    const found = await economicValues(em, source.series, knowledge);
    if (!found) return { ok: false, code: 'not_observed' };
    byFrequency.set(found.frequency, found.observed);
    return chosen(byFrequency, frequency, { unit: found.unit, currency: null, how: 'mean' });
  }
  const how = source.kind === 'economics' ? 'mean' : howOf(metric);
  return chosen(byFrequency, frequency, {
    unit: source.kind === 'economics' ? null : metric.unit,
    currency,
    how,
  });
}

type SeriesUnit = Pick<MetricValues, 'unit' | 'currency'> & { how: Aggregation };

/**
 * Returns the values at the requested frequency, aggregated from the longest observed periods that can be
 * aggregated to this frequency.
 */
function chosen(
  byFrequency: ReadonlyMap<PeriodFrequency, PeriodValue[]>,
  requested: PeriodFrequency | undefined,
  { unit, currency, how }: SeriesUnit,
): MetricAnswer {
  const available = frequenciesByLength.filter((each) => byFrequency.has(each));
  const frequency = requested ?? preference.find((each) => byFrequency.has(each));
  if (frequency === undefined) return { ok: false, code: 'not_observed' };
  const from = available.findLast((each) => canCoarsen(each, frequency));
  if (from === undefined) return { ok: false, code: 'frequency_unavailable', available };
  const observed = coarsen(byFrequency.get(from)!, { from, to: frequency, how });
  if (observed.length === 0) return { ok: false, code: 'not_observed' };
  return { ok: true, values: { frequency, unit, currency, observed } };
}

function howOf({ kind }: MetricDefinition): Aggregation {
  return kind === 'flow' ? 'sum' : 'last';
}

function currenciesOf(series: readonly MetricSeries[]): string[] {
  const all = series.flatMap(({ observations }) => observations.map(({ currency }) => currency));
  return [...new Set(all.filter((currency) => currency !== null))].sort();
}

function valuesOf({ observations }: MetricSeries): PeriodValue[] {
  return observations.map(({ observedOn, value }) => ({ lastDay: observedOn, value: Number(value) }));
}

/** Merges two lists by ascending period. If both lists have a period, the value of the second list is used. */
function merged(one: readonly PeriodValue[], other: readonly PeriodValue[]): PeriodValue[] {
  const byDay = new Map([...one, ...other].map((each) => [each.lastDay, each]));
  return [...byDay.values()].sort((a, b) => (a.lastDay < b.lastDay ? -1 : 1));
}
