import { sql } from 'kysely';
import { tenantOf, type Em } from '#lib/database/base.ts';
import type { LogCount } from './aggregates.ts';
import { OBSERVED_FAILED_MAX, type ControlEntry, type Tested } from './controls.ts';

/** A range of log indexes from `start` (inclusive) to `end` (exclusive). */
export type Span = { start: number; end: number };

/** Counts the entries of a range of log indexes, by operation, status and code. */
export async function countEntries(em: Em, span: Span): Promise<LogCount[]> {
  const { rows } = await sql<LogCount>`
    select e.op, e.status, case when e.status = 'refused' then e.body::json #>> '{outcome,code}' end as code,
      count(*)::float8 as entries
    ${placed(em, span)} group by 1, 2, 3 order by 1, 2, 3
  `.execute(em.getKysely());
  return rows;
}

/**
 * Lists those entries of a range of log indexes that have one of these operations and the status `done`, in log order.
 */
export async function entriesOf(em: Em, span: Span, ops: readonly string[]): Promise<ControlEntry[]> {
  const { rows } = await sql<ControlEntry>`
    select ${entryColumns} ${placed(em, span)} and e.status = 'done' and e.op = any(${[...ops]})
    order by l.leaf_index
  `.execute(em.getKysely());
  return rows;
}

/**
 * Lists the entries with an index below a log size that have one of these subjects, one of these operations and the
 * status `done`.
 */
export async function historyOf(
  em: Em,
  size: number,
  { subjects, ops }: { subjects: readonly string[]; ops: readonly string[] },
): Promise<ControlEntry[]> {
  if (subjects.length === 0 || ops.length === 0) return [];
  const { rows } = await sql<ControlEntry>`
    select ${entryColumns} ${placed(em, { start: 0, end: size })} and e.status = 'done'
      and e.op = any(${[...ops]}) and e.subject_uid = any(${[...subjects]})
    order by l.leaf_index
  `.execute(em.getKysely());
  return rows;
}

/**
 * Compares the results that were sealed in a range of the log with the log entries. Each result must have the seal hash
 * that its entry states. A deleted result counts as not evaluated.
 */
export async function testSeals(em: Em, span: Span): Promise<Tested> {
  type Row = ControlEntry & { verdict: 'passed' | 'failed' | null };
  const sealed = sql`
    select ${entryColumns}, case when coalesce(r.seal, a.seal) is null then null
      when coalesce(r.seal, a.seal) ->> 'hash' = e.body::json ->> 'after_hash' then 'passed'
      else 'failed' end as verdict
    from audit_leaf l join audit_entry e on e.id = l.entry_id left join run_result r on r.run_uid = e.subject_uid
      left join qlm_answer a on a.uid = e.subject_uid
    where ${inSpan(em, span)} and e.op = 'run.sealed'
  `;
  const counted = await sql<{ verdict: Row['verdict']; entries: number }>`
    select verdict, count(*)::float8 as entries from (${sealed}) sealed group by 1
  `.execute(em.getKysely());
  const count = (wanted: Row['verdict']) =>
    counted.rows.find(({ verdict }) => verdict === wanted)?.entries ?? 0;
  const [passed, failed, unknown] = [count('passed'), count('failed'), count(null)];
  const population = passed + failed + unknown;
  if (population === 0) return { population, tested: 0, passed, failed, not_evaluated: 0, observed: [] };
  const observed = await sql<Row>`
    (select * from (${sealed} ) failed where verdict = 'failed' order by index limit ${OBSERVED_FAILED_MAX})
    union all
    (select * from (${sealed} order by l.leaf_index desc limit 1) newest where verdict is distinct from 'failed')
  `.execute(em.getKysely());
  return {
    population,
    tested: passed + failed,
    passed,
    failed,
    not_evaluated: unknown,
    observed: observed.rows.map(({ verdict: _, ...entry }) => entry),
  };
}

const entryColumns = sql.raw(`l.leaf_index::float8 as index, e.leaf_hash as "leafHash", e.op,
  e.subject_uid as subject, e.actor_uid as actor, e.body::json #>> '{actor,kind}' as "actorKind"`);

function placed(em: Em, span: Span) {
  return sql`from audit_leaf l join audit_entry e on e.id = l.entry_id where ${inSpan(em, span)}`;
}

function inSpan(em: Em, { start, end }: Span) {
  const { workspace, environment } = tenantOf(em);
  return sql`l.workspace_uid = ${workspace} and l.environment = ${environment}
    and l.leaf_index >= ${start} and l.leaf_index < ${end}`;
}
