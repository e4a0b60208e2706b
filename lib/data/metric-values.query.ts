import { sql } from 'kysely';
import { tenantOf, type Em } from '#lib/database/base.ts';
import { instant, knownRows, type Moment } from './as-of.query.ts';
import { catalogued, isWorkspaceMetric, OF_WORKSPACE, type MetricDefinition } from './metric.ts';
import { OwnMetric } from './metric.entity.ts';
import { periodName, type PeriodFrequency } from './period.ts';

export type MetricQuestion = {
  /** The `company_id`; null for a metric of the workspace, such as `economics.GDP`. */
  company: number | null;
  metric: string;
  /** The as-of day, YYYY-MM-DD. Only values known by its end are used; undefined: no limit. */
  asOf: string | undefined;
};

export type MetricObservation = {
  period: string;
  /** The last day of the period. */
  observedOn: string;
  /** The value as imported, in decimal text. */
  value: string;
  currency: string | null;
  knownAt: string;
};

export type MetricSeries = {
  frequency: PeriodFrequency;
  datasetId: number;
  observations: MetricObservation[];
};

/**
 * Returns those values of a metric that were known by the end of a day, as one series per frequency with ascending
 * periods. The result is empty if nothing was known. If several datasets have a series, a dataset of the workspace
 * takes precedence, then the oldest dataset.
 */
export function metricSeriesAsOf(em: Em, { asOf, ...question }: MetricQuestion): Promise<MetricSeries[]> {
  return knownSeries(em, question, { asOf });
}

export type KnownMetricQuestion = Omit<MetricQuestion, 'asOf'> & {
  /**
   * The state of knowledge: a moment, ISO 8601, and the last revisions to read, by dataset id. Datasets that are not
   * listed are not read.
   */
  knowledge: { at: string; revisions: Readonly<Record<string, number>> };
};

/** Returns series as `metricSeriesAsOf` does, but as known at a moment, from rows up to the given revisions. */
export function metricSeriesKnown(em: Em, question: KnownMetricQuestion): Promise<MetricSeries[]> {
  const { knowledge, ...requested } = question;
  return knownSeries(em, requested, {
    asOf: { instant: sql`${knowledge.at}::timestamptz` },
    revisions: knowledge.revisions,
  });
}

type SeriesKnowledge = {
  asOf: string | Moment | undefined;
  revisions?: Readonly<Record<string, number>>;
};

async function knownSeries(
  em: Em,
  { company, metric }: Omit<MetricQuestion, 'asOf'>,
  { asOf, revisions }: SeriesKnowledge,
): Promise<MetricSeries[]> {
  const pinned = revisions && JSON.stringify(revisions);
  const known = knownRows({
    table: 'company_metric',
    key: ['dataset_id', 'frequency', 'observed_on'],
    columns: ['value', 'currency'],
    where: sql`o.dataset_id in (
        select e.dataset_id from dataset_entitlement e where e.workspace_uid = ${tenantOf(em).workspace})
      and o.company = ${company === null ? OF_WORKSPACE : String(company)} and o.metric = ${metric}
      and ${pinned === undefined ? sql`true` : sql`o.revision <= (${pinned}::jsonb ->> o.dataset_id::text)::integer`}`,
    asOf,
  });
  const { rows } = await sql<MetricObservation & Pick<MetricSeries, 'frequency' | 'datasetId'>>`
    with known as (select * from ${known} k)
    select known.frequency, known.dataset_id as "datasetId", known.observed_on::text as "observedOn",
      known.value::text as value, known.currency,
      ${instant(sql.ref('known.known_at'))} as "knownAt"
    from known
    join (
      select distinct on (k.frequency) k.frequency, k.dataset_id from known k join dataset d on d.id = k.dataset_id
      order by k.frequency, d.workspace_uid is null, d.id
    ) serving using (frequency, dataset_id)
    order by known.frequency, known.observed_on
  `.execute(em.getKysely());
  const series = new Map<PeriodFrequency, MetricSeries>();
  for (const { frequency, datasetId, observedOn, value, currency, knownAt } of rows) {
    const one = series.get(frequency) ?? { frequency, datasetId, observations: [] };
    const period = periodName({ frequency, lastDay: observedOn });
    one.observations.push({ period, observedOn, value, currency, knownAt });
    series.set(frequency, one);
  }
  return [...series.values()];
}

/** Finds the definition of a metric in the catalogue or in the workspace; undefined if neither defines the metric. */
export async function findMetric(em: Em, name: string): Promise<MetricDefinition | undefined> {
  const known = catalogued(name);
  if (known) return known;
  if (isWorkspaceMetric(name)) return workspaceMetric(name);
  const own = await em.findOne(OwnMetric, { name });
  if (!own) return undefined;
  const { unit, kind, isSigned, description } = own;
  return { name, unit, kind, isSigned, description };
}

function workspaceMetric(name: string): MetricDefinition {
  if (name.startsWith('economics.')) {
    return { name, unit: 'ratio', kind: 'level', isSigned: true, description: 'An economic series.' };
  }
  const [, word = ''] = name.split('.');
  return { ...catalogued(word)!, name, description: 'A metric of the ledger of the workspace.' };
}
