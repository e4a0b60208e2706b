import { sql } from 'kysely';
import { daysInMonth } from '#lib/core/date.ts';
import { instant, knownRows } from '#lib/data/as-of.query.ts';
import { decimalOf } from '../facts/decimals.ts';
import type { Observation } from '../facts/readers.ts';
import { nameAt } from '../facts/windows.ts';
import { nativeOf, type AskedFeature } from './asked-features.query.ts';
import { knownBy, observedIn, type ReadingState } from './reading.ts';

type Row = { entity: string; day: string; value: number | null; knownAt: string };

/**
 * Returns the values of a feature for an instrument that were known at the end of a day, in order of the periods.
 * Without a symbol, uses the instrument with the newest value.
 */
export async function featureSeries(
  state: ReadingState,
  { key, symbol, asOf }: { key: string; symbol: string | undefined; asOf: string | undefined },
): Promise<Observation[]> {
  const feature = state.directory.features.get(key);
  if (!feature) return [];
  const one = symbol ?? (await newestEntity(state, feature));
  if (one === undefined) return [];
  const rows = await rowsOf(state, { feature, where: sql`o.entity = ${one}`, asOf: knownBy(state, asOf) });
  return rows.map((row) => observation(state, feature, row));
}

/** Returns the values of a feature for all instruments in one period, by symbol. */
export async function featurePanel(
  state: ReadingState,
  key: string,
  period: string,
): Promise<Map<string, Observation>> {
  const feature = state.directory.features.get(key);
  if (!feature) return new Map();
  const days = daysOf(period);
  if (!days) return new Map();
  const where = sql`o.event_time >= ${days.from}::date::timestamp at time zone 'utc'
    and o.event_time < (${days.to}::date + 1)::timestamp at time zone 'utc'`;
  const rows = await rowsOf(state, { feature, where, asOf: knownBy(state, undefined) });
  return new Map(rows.map((row) => [row.entity, observation(state, feature, row)]));
}

/** The first and the last day of a month, quarter or year. */
function daysOf(period: string): { from: string; to: string } | undefined {
  const [, year = '', month, quarter] = /^(\d{4})(?:-(\d{2})|-Q([1-4]))?$/.exec(period) ?? [];
  if (year === '') return undefined;
  const last = month === undefined ? (quarter === undefined ? 12 : Number(quarter) * 3) : Number(month);
  const first = month === undefined ? (quarter === undefined ? 1 : last - 2) : last;
  const two = (number: number): string => String(number).padStart(2, '0');
  const end = daysInMonth(Number(year), last);
  return { from: `${year}-${two(first)}-01`, to: `${year}-${two(last)}-${two(end)}` };
}

async function newestEntity({ em }: ReadingState, { versionId }: AskedFeature): Promise<string | undefined> {
  const { rows } = await sql<{ entity: string }>`
    select entity from feature_value where feature_version_id = ${versionId} and not withdrawn
    order by event_time desc, entity limit 1
  `.execute(em.getKysely());
  return rows[0]?.entity;
}

type Wanted = { feature: AskedFeature; where: ReturnType<typeof sql>; asOf: string | undefined };

/** Reads the last known value of each instrument and period. */
async function rowsOf({ em }: ReadingState, { feature, where, asOf }: Wanted): Promise<Row[]> {
  const known = knownRows({
    table: 'feature_value',
    key: ['entity', 'event_time'],
    columns: ['value'],
    where: sql`o.feature_version_id = ${feature.versionId} and ${where}`,
    asOf,
  });
  // A literal, because `distinct on` and `order by` must have equal expressions.
  const grain = sql.lit({ monthly: 'month', quarterly: 'quarter', yearly: 'year' }[nativeOf(feature)]);
  const { rows } = await sql<Row>`
    select distinct on (k.entity, date_trunc(${grain}, k.event_time, 'utc')) k.entity, k.value,
      (k.event_time at time zone 'utc')::date::text as day, ${instant(sql`k.known_at`)} as "knownAt"
    from ${known} k
    order by k.entity, date_trunc(${grain}, k.event_time, 'utc'), k.event_time desc
  `.execute(em.getKysely());
  return rows.filter(({ value }) => value !== null && Number.isFinite(value));
}

function observation(state: ReadingState, feature: AskedFeature, row: Row): Observation {
  const dataset = {
    uid: feature.datasetUid,
    revision: state.revisions[String(feature.datasetId)] ?? 0,
  };
  return {
    period: nameAt(nativeOf(feature), row.day),
    value: decimalOf(row.value!),
    currency: null,
    knownAt: row.knownAt,
    isAssumed: false,
    source: observedIn(state, `features/${feature.key}`, dataset, row.day),
  };
}
