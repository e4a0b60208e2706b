import { sql, type RawBuilder } from 'kysely';
import type { Em } from '#lib/database/base.ts';
import { WITHDRAWN, type ObservationKind } from '../kinds/observation-kind.ts';
import { STAGING } from './staging.ts';

/**
 * The bitemporal merge compares each row with its **prior**: the known state of the observation, at the moment that the
 * row states, or now if the row states no moment.
 *
 * - A row equal to its prior is *unchanged* and not written.
 * - A row without a prior is *inserted*.
 * - Any other row is a *correction*: a new row, known from the stated moment or from the import on. The prior still
 *   applies to the time before that moment.
 */
export type MergeCounts = { inserted: number; corrected: number; unchanged: number };

export type Merge = {
  kind: ObservationKind;
  datasetId: number;
  revision: number;
  /** For prices: their frequency, which is part of the key of an observation. */
  frequency?: string | undefined;
  /** The value columns of the file. Other columns keep their known values. */
  stated: readonly string[];
  /** The moment at which a row without a stated moment became known: the end of its day, or now. */
  unstatedBasis: 'assumed' | 'imported';
  now: Date;
  isAscending: boolean;
  /** Whether the file has several states of one observation. */
  hasRepeatedKeys: boolean;
};

export async function mergeStaged(em: Em, merge: Merge): Promise<MergeCounts> {
  const isFirst = !merge.hasRepeatedKeys && !(await hasPrior(em, merge));
  return isFirst ? insertAll(em, merge) : compareAndInsert(em, merge);
}

async function hasPrior(em: Em, merge: Merge): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from ${sql.table(merge.kind.table)} p where ${ofSeries(merge, 'p')}) as found
  `.execute(em.getKysely());
  return rows[0]!.found;
}

/** Inserts all rows. Used if the dataset has no prior rows to compare with. */
async function insertAll(em: Em, merge: Merge): Promise<MergeCounts> {
  const { numAffectedRows } = await sql`
    insert into ${sql.table(merge.kind.table)} (${targetColumns(merge)})
    select ${seriesValues(merge)}, ${keyColumns(merge)}, observed_on, coalesce(known_at, ${unstatedMoment(merge)}),
      case when known_at is null then ${merge.unstatedBasis} else 'stated' end, ${merge.revision}::integer,
      ${columns([WITHDRAWN, ...merge.kind.values])}
    from ${sql.table(STAGING)}
    ${inOrder(merge)}
  `.execute(em.getKysely());
  return { inserted: Number(numAffectedRows ?? 0), corrected: 0, unchanged: 0 };
}

async function compareAndInsert(em: Em, merge: Merge): Promise<MergeCounts> {
  const { kind } = merge;
  const stated = [WITHDRAWN, ...merge.stated];
  const carried = kind.values.filter((name) => !stated.includes(name));
  const { rows } = await sql<MergeCounts>`
    with staged as (
      select ${keyColumns(merge)}, observed_on, known_at is not null as is_stated,
        coalesce(known_at, ${unstatedMoment(merge)}) as known_at, ${columns([WITHDRAWN, ...kind.values])}
        ${merge.hasRepeatedKeys ? earlierRow(merge, stated) : sql``}
      from ${sql.table(STAGING)}
    ),
    compared as materialized (
      select ${keyColumns(merge, 'staged')}, staged.observed_on, staged.is_stated, staged.known_at,
        ${columns(stated, 'staged')}${list(
          carried,
          (name) => sql`,
          case when not staged.withdrawn then prior.${sql.ref(name)} end as ${sql.ref(name)}`,
        )},
        prior.known_at as prior_known_at,
        ${merge.hasRepeatedKeys ? comparedWithEarlier(stated) : comparedWithPrior(stated)}
      from staged
      left join lateral (
        select * from ${sql.table(kind.table)} p
        where ${ofSeries(merge, 'p')} and p.${sql.ref(kind.subject)} = staged.subject
          ${list(kind.keys ?? [], (name) => sql` and p.${sql.ref(name)} = staged.${sql.ref(name)}`)}
          and p.observed_on = staged.observed_on and (not staged.is_stated or p.known_at <= staged.known_at)
        order by p.known_at desc, p.revision desc
        limit 1
      ) prior on true
    ),
    written as (
      insert into ${sql.table(kind.table)} (${targetColumns(merge)})
      select ${seriesValues(merge)}, ${keyColumns(merge)}, observed_on,
        case when is_stated or prior_known_at is null then known_at
          else greatest(prior_known_at, ${merge.now.toISOString()}::timestamptz) end,
        case when is_stated then 'stated' when prior_known_at is null then ${merge.unstatedBasis} else 'imported' end,
        ${merge.revision}::integer, ${columns([WITHDRAWN, ...kind.values])}
      from compared where differs
      ${inOrder(merge)}
    )
    select count(*) filter (where differs and not has_prior)::integer as inserted,
      count(*) filter (where differs and has_prior)::integer as corrected,
      count(*) filter (where not differs)::integer as unchanged
    from compared
  `.execute(em.getKysely());
  return rows[0]!;
}

/** Selects the previous state of the same observation in the file itself, ordered by known moment. */
function earlierRow(merge: Merge, stated: readonly string[]): RawBuilder<unknown> {
  const over = sql`over (partition by ${keyColumns(merge)}, observed_on order by known_at)`;
  return sql`, lag(known_at) ${over} as earlier_known_at
    ${list(stated, (name) => sql`, lag(${sql.ref(name)}) ${over} as ${sql.ref(`earlier_${name}`)}`)}`;
}

function comparedWithPrior(stated: readonly string[]): RawBuilder<unknown> {
  return sql`prior.known_at is not null as has_prior,
    prior.known_at is null or (${columns(stated, 'staged')}) is distinct from (${columns(stated, 'prior')}) as differs`;
}

/** Compares a row with its prior in the table or with the previous state in the file, whichever became known later. */
function comparedWithEarlier(stated: readonly string[]): RawBuilder<unknown> {
  const earlier = stated.map((name) => `earlier_${name}`);
  return sql`prior.known_at is not null or staged.earlier_known_at is not null as has_prior,
    case when staged.earlier_known_at >= coalesce(prior.known_at, '-infinity')
      then (${columns(stated, 'staged')}) is distinct from (${columns(earlier, 'staged')})
      else prior.known_at is null or (${columns(stated, 'staged')}) is distinct from (${columns(stated, 'prior')})
    end as differs`;
}

function inOrder(merge: Merge): RawBuilder<unknown> {
  return merge.isAscending ? sql`` : sql`order by ${keyColumns(merge)}, observed_on`;
}

/** Returns the subject and the further key columns, with the column names of the staged rows. */
function keyColumns({ kind }: Merge, table?: string): RawBuilder<unknown> {
  return columns(['subject', ...(kind.keys ?? [])], table);
}

/**
 * Returns the known moment of a row that does not state a moment: now or the end of its day, depending on the request.
 * An observation of a future day, such as an announced dividend, is always known now.
 */
function unstatedMoment({ unstatedBasis, now }: Merge): RawBuilder<unknown> {
  const moment = sql`${now.toISOString()}::timestamptz`;
  const endOfDay = sql`(observed_on + 1)::timestamp at time zone 'utc' - interval '1 microsecond'`;
  return unstatedBasis === 'imported'
    ? moment
    : sql`case when observed_on > (${moment} at time zone 'utc')::date then ${moment} else ${endOfDay} end`;
}

function targetColumns({ kind, frequency }: Merge): RawBuilder<unknown> {
  const key = frequency === undefined ? ['dataset_id'] : ['dataset_id', 'frequency'];
  const observation = [kind.subject, ...(kind.keys ?? []), 'observed_on'];
  const knowledge = ['known_at', 'known_at_basis', 'revision', WITHDRAWN];
  return columns([...key, ...observation, ...knowledge, ...kind.values]);
}

function seriesValues({ datasetId, frequency }: Merge): RawBuilder<unknown> {
  return frequency === undefined
    ? sql`${datasetId}::integer`
    : sql`${datasetId}::integer, ${frequency}::text`;
}

function ofSeries({ datasetId, frequency }: Merge, table: string): RawBuilder<unknown> {
  const ofDataset = sql`${sql.ref(`${table}.dataset_id`)} = ${datasetId}`;
  return frequency === undefined
    ? ofDataset
    : sql`${ofDataset} and ${sql.ref(`${table}.frequency`)} = ${frequency}`;
}

function columns(names: readonly string[], table?: string): RawBuilder<unknown> {
  return sql.join(names.map((name) => sql.ref(table === undefined ? name : `${table}.${name}`)));
}

function list(names: readonly string[], each: (name: string) => RawBuilder<unknown>): RawBuilder<unknown> {
  return sql.join(names.map(each), sql``);
}
