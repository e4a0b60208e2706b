import { sql, type RawBuilder } from 'kysely';
import { instant, knownRows, wasKnown } from '#lib/data/as-of.query.ts';
import { periodName, type PeriodFrequency } from '#lib/data/period.ts';
import type { Observation } from '../facts/readers.ts';
import { nameAt } from '../facts/windows.ts';
import { datasetsOf, knownBy, observedIn, type ReadingState } from './reading.ts';

type Row = {
  observedOn: string;
  value: string | null;
  currency: string | null;
  knownAt: string;
  basis: string;
};

type SeriesQuestion = { key: string; asOf: string | undefined };

/** Returns the values of an economic series that were known at the end of a day, in order of the periods. */
export async function economicSeries(
  state: ReadingState,
  { key, asOf }: SeriesQuestion,
): Promise<Observation[]> {
  const rows = await economicRows(state, key, (where) =>
    knownRows({
      table: 'economic_observation',
      key: ['observed_on'],
      columns: ['known_at_basis', 'value'],
      where,
      asOf: knownBy(state, asOf),
    }),
  );
  return rows;
}

/** Returns all vintages of one period of an economic series, oldest first. */
export async function economicRevisions(
  state: ReadingState,
  key: string,
  period: string,
): Promise<Observation[]> {
  const rows = await economicRows(
    state,
    key,
    (where) =>
      sql`(select o.observed_on, o.known_at, o.known_at_basis, o.value from economic_observation o
        where (${where}) and not o.withdrawn and ${wasKnown('o', knownBy(state, undefined))})`,
  );
  return rows.filter((each) => each.period === period);
}

async function economicRows(
  state: ReadingState,
  key: string,
  rowsOf: (where: RawBuilder<unknown>) => RawBuilder<unknown>,
): Promise<Observation[]> {
  const series = state.directory.series.get(key);
  const native = state.directory.measures.get(`economics.${key}`)?.native;
  const revision = series && state.revisions[String(series.datasetId)];
  if (!series || !native || revision === undefined) return [];
  const where = sql`o.dataset_id = ${series.datasetId} and o.series = ${key} and o.revision <= ${revision}`;
  const { rows } = await sql<Row>`
    select k.observed_on::text as "observedOn", k.value::text as value, null as currency,
      ${instant(sql`k.known_at`)} as "knownAt", k.known_at_basis as basis
    from ${rowsOf(where)} k order by k.observed_on, k.known_at
  `.execute(state.em.getKysely());
  const source = observedIn(state, `economics/${key}`, { uid: series.datasetUid, revision });
  return rows.flatMap((row) =>
    row.value === null ? [] : [observation(row, nameAt(native, row.observedOn), source)],
  );
}

function observation(row: Row, period: string, source: Observation['source']): Observation {
  return {
    period,
    value: row.value!,
    currency: row.currency,
    knownAt: row.knownAt,
    isAssumed: row.basis !== 'stated',
    source,
  };
}

type MetricRow = Row & { frequency: PeriodFrequency; datasetId: number };

/** The preferred period length, for a metric that is stored with several period lengths. */
const PREFERRED: readonly PeriodFrequency[] = ['monthly', 'quarterly', 'yearly', 'weekly', 'daily'];

type MetricQuestion = { metric: string; company: string; asOf: string | undefined };

/**
 * Returns the values of a metric of a company. A metric that is reported in two currencies has two values for a period.
 * For each currency, the dataset with precedence is used.
 */
export async function metricSeries(state: ReadingState, question: MetricQuestion): Promise<Observation[]> {
  const { metric, company, asOf } = question;
  const rows = await metricRows(state, { metric, company }, (where) =>
    knownRows({
      table: 'company_metric',
      key: ['dataset_id', 'frequency', 'observed_on'],
      columns: ['known_at_basis', 'value', 'currency'],
      where,
      asOf: knownBy(state, asOf),
    }),
  );
  const seen = new Set<string>();
  return rows
    .filter(({ period, currency }) => {
      const name = `${period} ${currency ?? ''}`;
      return seen.has(name) ? false : seen.add(name);
    })
    .sort((one, other) => (one.period < other.period ? -1 : Number(one.period > other.period)));
}

/** Returns all values of one period of a metric of a company, oldest first. */
export async function metricRevisions(
  state: ReadingState,
  question: Omit<MetricQuestion, 'asOf'>,
  period: string,
): Promise<Observation[]> {
  const rows = await metricRows(
    state,
    question,
    (where) =>
      sql`(select o.dataset_id, o.frequency, o.observed_on, o.known_at, o.known_at_basis, o.value, o.currency
        from company_metric o
        where (${where}) and not o.withdrawn and ${wasKnown('o', knownBy(state, undefined))})`,
  );
  return rows
    .filter((each) => each.period === period)
    .sort((one, other) => (one.knownAt < other.knownAt ? -1 : 1));
}

async function metricRows(
  state: ReadingState,
  { metric, company }: Omit<MetricQuestion, 'asOf'>,
  rowsOf: (where: RawBuilder<unknown>) => RawBuilder<unknown>,
): Promise<Observation[]> {
  const datasets = datasetsOf(state, 'metrics');
  if (datasets.length === 0) return [];
  const pinned = datasets.map(
    ({ id, revision }) => sql`(o.dataset_id = ${id} and o.revision <= ${revision})`,
  );
  const where = sql`(${sql.join(pinned, sql` or `)}) and o.company = ${company} and o.metric = ${metric}`;
  const { rows } = await sql<MetricRow>`
    select k.dataset_id as "datasetId", k.frequency, k.observed_on::text as "observedOn", k.value::text as value,
      k.currency, ${instant(sql`k.known_at`)} as "knownAt", k.known_at_basis as basis
    from ${rowsOf(where)} k
    order by array_position(${datasets.map(({ id }) => id)}::integer[], k.dataset_id), k.observed_on, k.known_at
  `.execute(state.em.getKysely());
  const frequency = PREFERRED.find((each) => rows.some((row) => row.frequency === each));
  return rows.flatMap((row) => {
    const dataset = datasets.find(({ id }) => id === row.datasetId)!;
    if (row.value === null || row.frequency !== frequency) return [];
    const source = observedIn(state, `metrics/${dataset.name}`, dataset);
    return [observation(row, periodName({ frequency, lastDay: row.observedOn }), source)];
  });
}
