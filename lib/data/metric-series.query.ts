import { sql, type RawBuilder } from 'kysely';
import type { Em } from '#lib/database/base.ts';
import { instant, knownRows } from './as-of.query.ts';
import { OF_WORKSPACE } from './metric.ts';
import type { PeriodFrequency } from './period.ts';
import type { ReadableDataset } from './readable-dataset.query.ts';

/** A metric of a company or of the workspace, with periods of one length, and the dataset that provides it. */
export type HeldSeries = {
  metric: string;
  company: number | null;
  frequency: PeriodFrequency;
  datasetId: number;
};

export type SeriesPlace = { metric: string; subject: string; frequency: string };
export type SeriesRow = HeldSeries & { subject: string };

export type HeldQuestion = {
  datasets: readonly ReadableDataset[];
  company?: number | undefined;
  frequency?: PeriodFrequency | undefined;
  /** The as-of day. Only values known by its end are used; undefined: no limit. */
  asOf: string | undefined;
  after: SeriesPlace | undefined;
  limit: number;
};

/** Lists the series with a value known by the end of a day, ordered by metric, company and frequency. */
export async function heldSeries(em: Em, question: HeldQuestion): Promise<SeriesRow[]> {
  const { datasets, asOf, after, limit } = question;
  const known = knownRows({
    table: 'company_metric',
    key: ['metric', 'company', 'frequency', 'dataset_id', 'observed_on'],
    columns: [],
    where: sql.join(
      [
        ofDatasets(datasets),
        ...ofSubject(question),
        ...(after === undefined
          ? []
          : [
              sql`(o.metric, o.company, o.frequency) > (${after.metric}, ${after.subject}, ${after.frequency})`,
            ]),
      ],
      sql` and `,
    ),
    asOf,
  });
  const { rows } = await sql<SeriesRow>`
    select distinct on (k.metric, k.company, k.frequency) k.metric, k.company as subject,
      nullif(k.company, ${OF_WORKSPACE})::integer as company, k.frequency, k.dataset_id as "datasetId"
    from ${known} k
    order by k.metric, k.company, k.frequency, array_position(${idsOf(datasets)}::integer[], k.dataset_id)
    limit ${limit}
  `.execute(em.getKysely());
  return rows;
}

export type HeldObservation = {
  subject: string;
  company: number | null;
  frequency: PeriodFrequency;
  observedOn: string;
  /** The value as imported, in decimal text. */
  value: string;
  currency: string | null;
  knownAt: string;
  knownAtBasis: 'stated' | 'assumed' | 'imported';
  datasetId: number;
};

export type ObservationPlace = { subject: string; frequency: string; observedOn: string };

export type ObservationsQuestion = Omit<HeldQuestion, 'after'> & {
  metric: string;
  /**
   * The first day of the range, inclusive; `to` is the last day, inclusive. Periods whose last day is in the range are
   * returned.
   */
  from?: string | undefined;
  to?: string | undefined;
  after: ObservationPlace | undefined;
};

/**
 * Lists those values of a metric that were known by the end of a day, ordered by company, frequency and period. Each
 * series comes from the first dataset that contains a value of the series.
 */
export async function metricObservations(em: Em, question: ObservationsQuestion): Promise<HeldObservation[]> {
  const { datasets, metric, from, to, asOf, after, limit } = question;
  const ofMetric = [ofDatasets(datasets), sql`o.metric = ${metric}`, ...ofSubject(question)];
  const known = knownRows({
    table: 'company_metric',
    key: ['company', 'frequency', 'observed_on', 'dataset_id'],
    columns: ['value', 'currency', 'known_at_basis'],
    where: sql.join(
      [
        ...ofMetric,
        ...(from === undefined ? [] : [sql`o.observed_on >= ${from}::date`]),
        ...(to === undefined ? [] : [sql`o.observed_on <= ${to}::date`]),
        ...(after === undefined
          ? []
          : [
              sql`(o.company, o.frequency, o.observed_on) > (${after.subject}, ${after.frequency}, ${after.observedOn}::date)`,
            ]),
      ],
      sql` and `,
    ),
    asOf,
  });
  const { rows } = await sql<HeldObservation>`
    select k.company as subject, nullif(k.company, ${OF_WORKSPACE})::integer as company, k.frequency,
      k.observed_on::text as "observedOn", k.value::text as value, k.currency, ${instant(sql`k.known_at`)} as "knownAt",
      k.known_at_basis as "knownAtBasis", k.dataset_id as "datasetId"
    from ${known} k
    where ${isServing(datasets, metric, asOf)}
    order by k.company, k.frequency, k.observed_on limit ${limit}
  `.execute(em.getKysely());
  return rows;
}

/** Returns the condition that no dataset with precedence over the dataset of `k` contains a value of the series. */
function isServing(
  datasets: readonly ReadableDataset[],
  metric: string,
  asOf: string | undefined,
): RawBuilder<unknown> {
  if (datasets.length < 2) return sql`true`;
  const ids = sql`${idsOf(datasets)}::integer[]`;
  const before = knownRows({
    table: 'company_metric',
    key: ['dataset_id', 'observed_on'],
    columns: [],
    where: sql`${ofDatasets(datasets)} and o.metric = ${metric} and o.company = k.company
      and o.frequency = k.frequency and array_position(${ids}, o.dataset_id) < array_position(${ids}, k.dataset_id)`,
    asOf,
  });
  return sql`not exists (select from ${before} before)`;
}

function ofDatasets(datasets: readonly ReadableDataset[]): RawBuilder<unknown> {
  if (datasets.length === 0) return sql`false`;
  const each = datasets.map(({ id, revision }) => sql`o.dataset_id = ${id} and o.revision <= ${revision}`);
  return sql`(${sql.join(each, sql` or `)})`;
}

function ofSubject({ company, frequency }: Pick<HeldQuestion, 'company' | 'frequency'>) {
  return [
    ...(company === undefined ? [] : [sql`o.company = ${String(company)}`]),
    ...(frequency === undefined ? [] : [sql`o.frequency = ${frequency}`]),
  ];
}

function idsOf(datasets: readonly ReadableDataset[]): number[] {
  return datasets.map(({ id }) => id);
}
