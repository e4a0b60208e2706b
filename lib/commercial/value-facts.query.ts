import { sql } from 'kysely';
import { EMPTY_ROOT } from '#lib/audit/merkle.ts';
import { newestCheckpoint } from '#lib/audit/tree.query.ts';
import { tenantOf, type Em } from '#lib/database/base.ts';
import type { ValueFacts } from './value.ts';

/** The prefixes of the operations that financial actions record in the log. */
const WATCHED = ['delegation.', 'batch.', 'exception.', 'custody.'];

type Window = { from: Date; to: Date };

/**
 * Reads the facts of a window of the current tenant, from the audit log entries that have a position in the
 * log tree and from the records of reconciliation.
 */
export async function readValueFacts(em: Em, window: Window): Promise<ValueFacts> {
  const newest = await newestCheckpoint(em);
  const log = await readLog(em, window);
  return {
    ...window,
    workspaceBornAt: await bornAt(em),
    log: { ...log, root: newest?.root ?? EMPTY_ROOT },
    entries: await countEntries(em, window),
    approvalSeconds: await approvalSeconds(em, window),
    openExceptions: await openExceptions(em),
    lines: await countLines(em, window),
    observations: await countObservations(em, window),
    batches: await countBatches(em, window),
    amounts: await sumAmounts(em, window),
  };
}

async function bornAt(em: Em): Promise<Date> {
  const { rows } = await sql<{ at: number }>`
    select (extract(epoch from created_at) * 1000)::float8 as at from workspace where uid = ${tenantOf(em).workspace}
  `.execute(em.getKysely());
  return new Date(rows[0]!.at);
}

async function readLog(em: Em, window: Window) {
  const { rows } = await sql<{ events: number; first: number | null; last: number | null }>`
    select count(*)::float8 as events, min(l.leaf_index)::float8 as first, max(l.leaf_index)::float8 as last
    ${watched(em, window)}
  `.execute(em.getKysely());
  return rows[0]!;
}

async function countEntries(em: Em, window: Window): Promise<ValueFacts['entries']> {
  const { rows } = await sql<ValueFacts['entries'][number]>`
    select e.op, e.status, case when e.status = 'refused' then e.body::json #>> '{outcome,code}' end as code,
      count(*)::float8 as count
    ${watched(em, window)} group by 1, 2, 3 order by 1, 2, 3
  `.execute(em.getKysely());
  return rows;
}

async function approvalSeconds(em: Em, window: Window): Promise<number[]> {
  const { rows } = await sql<{ seconds: number }>`
    select floor(extract(epoch from e.at - drafted.at))::float8 as seconds
    ${watched(
      em,
      window,
      sql`cross join lateral (
      select d.at from audit_entry d where d.workspace_uid = e.workspace_uid and d.environment = e.environment
        and d.subject_uid = e.subject_uid and d.op = 'delegation.drafted' and d.status = 'done' order by d.id limit 1
    ) drafted`,
    )} and e.op = 'delegation.activated' and e.status = 'done'
  `.execute(em.getKysely());
  return rows.map(({ seconds }) => Math.max(0, seconds));
}

async function openExceptions(em: Em): Promise<ValueFacts['openExceptions']> {
  const { rows } = await sql<{ kind: string; at: number }>`
    select kind, (extract(epoch from opened_at) * 1000)::float8 as at from execution_exception
    where ${ofTenant(em)} and ended_at is null order by kind, uid
  `.execute(em.getKysely());
  return rows.map(({ kind, at }) => ({ kind, openedAt: new Date(at) }));
}

async function countLines(em: Em, window: Window): Promise<ValueFacts['lines']> {
  const { rows } = await sql<ValueFacts['lines'][number]>`
    select line ->> 'outcome' as outcome, count(*)::float8 as count
    from custody_observation, jsonb_array_elements(reconciliation -> 'lines') line
    where ${ofTenant(em)} and ${within('recorded_at', window)} group by 1 order by 1
  `.execute(em.getKysely());
  return rows;
}

async function countObservations(em: Em, window: Window): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::float8 as count from custody_observation
    where ${ofTenant(em)} and ${within('recorded_at', window)}
  `.execute(em.getKysely());
  return rows[0]!.count;
}

async function countBatches(em: Em, window: Window): Promise<ValueFacts['batches']> {
  const { rows } = await sql<ValueFacts['batches']>`
    select count(*)::float8 as released, (count(*) filter (where state = 'closed'))::float8 as "releasedAndClosed"
    from order_batch where ${ofTenant(em)} and ${within('released_at', window)}
  `.execute(em.getKysely());
  return rows[0]!;
}

/**
 * Returns four sums by currency. Three are for the batches released in the window: settled amounts of closed batches,
 * settled amounts of all batches, and accepted differences. The fourth is the amounts of all exceptions that are open
 * now.
 */
async function sumAmounts(em: Em, window: Window): Promise<ValueFacts['amounts']> {
  type Row = Record<'currency' | 'closed' | 'reconciled' | 'accepted' | 'disputed', string>;
  const { rows } = await sql<Row>`
    with settled as (
      select total ->> 'currency' as currency,
        sum(case when state = 'closed' then (total ->> 'settled_minor')::numeric else 0 end) as closed,
        sum((total ->> 'settled_minor')::numeric) as reconciled,
        sum((total ->> 'accepted_difference_minor')::numeric) as accepted
      from order_batch, jsonb_array_elements(progress -> 'totals') total
      where ${ofTenant(em)} and ${within('released_at', window)} group by 1
    ), disputed as (
      select currency, sum(abs(amount_minor::numeric)) as disputed from execution_exception
      where ${ofTenant(em)} and ended_at is null and amount_minor is not null and currency is not null group by 1
    )
    select currency, coalesce(closed, 0)::text as closed, coalesce(reconciled, 0)::text as reconciled,
      coalesce(accepted, 0)::text as accepted, coalesce(disputed, 0)::text as disputed
    from settled full join disputed using (currency) order by currency
  `.execute(em.getKysely());
  return rows.map(({ currency, closed, reconciled, accepted, disputed }) => ({
    currency,
    closed: BigInt(closed),
    reconciled: BigInt(reconciled),
    acceptedDifference: BigInt(accepted),
    openExceptions: BigInt(disputed),
  }));
}

function watched(em: Em, window: Window, joined = sql``) {
  const { workspace, environment } = tenantOf(em);
  const ops = WATCHED.map((start) => `${start}%`);
  return sql`from audit_leaf l join audit_entry e on e.id = l.entry_id ${joined}
    where l.workspace_uid = ${workspace} and l.environment = ${environment}
      and ${within('e.at', window)} and e.op like any(${ops})`;
}

function within(column: string, { from, to }: Window) {
  return sql`${sql.raw(column)} >= ${from} and ${sql.raw(column)} < ${to}`;
}

function ofTenant(em: Em) {
  const { workspace, environment } = tenantOf(em);
  return sql`workspace_uid = ${workspace} and environment = ${environment}`;
}
