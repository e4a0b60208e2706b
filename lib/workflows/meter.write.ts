import { sql, type RawBuilder } from 'kysely';
import { instantOf } from '#lib/core/clock.ts';
import { instant } from '#lib/data/as-of.query.ts';
import { tenantOf, type Em } from '#lib/database/base.ts';
import { recordCrossings } from './budget-crossing.write.ts';

/** Returns SQL for the rate of a tenant at an instant. */
const rateAt = (at: RawBuilder<unknown>, workspace: string, environment: string) => sql`
  select r.uid, r.currency, r.compute_second_micro from workflow_rate r
  where r.workspace_uid = ${workspace} and r.environment = ${environment} and r.since <= ${at}
  order by r.since desc, r.uid desc limit 1`;

/**
 * Records the costs of the ended pipeline runs that a workflow run requested, at the rate that applied when a run
 * ended. The cost follows from the start and end in the record of each run. Each run is metered once, even if this
 * function is called several times. Without a rate, the cost is missing and not zero. Also records the budget
 * thresholds that the costs cross.
 */
export async function meterRun(em: Em, run: string, now: Date): Promise<void> {
  const { workspace, environment } = tenantOf(em);
  const { rows } = await sql<{ at: string }>`
    insert into workflow_meter (job_uid, workspace_uid, environment, run_uid, workflow_key, metered_at, compute_ms,
      rate_uid, currency, cost_micro)
    select s.job_uid, s.workspace_uid, s.environment, s.run_uid, w.workflow_key, j.finished_at, t.compute_ms,
      rate.uid, rate.currency, round(t.compute_ms * rate.compute_second_micro / 1000.0)
    from workflow_step_run s
    join workflow_run w on w.uid = s.run_uid
    join run j on j.uid = s.job_uid
    cross join lateral (
      select round(extract(epoch from j.finished_at - coalesce(j.started_at, j.finished_at)) * 1000)::bigint
    ) t (compute_ms)
    left join lateral (${rateAt(sql`j.finished_at`, workspace, environment)}) rate on true
    where s.run_uid = ${run} and s.workspace_uid = ${workspace} and s.environment = ${environment}
      and j.finished_at is not null
    on conflict (job_uid) do nothing returning ${instant(sql`metered_at`)} as at
  `.execute(em.getKysely());
  await recordCrossings(em, { basis: 'metered', times: rows.map(({ at }) => instantOf(at)), now });
}

export type TaskUse = { run: string; workflow: string; step: string; ms: number; now: Date };

/**
 * Records the cost of a step that was done immediately, at the current rate, in the transaction of the step's effect.
 * Because of the shared transaction, each step is metered once.
 */
export async function meterTask(em: Em, { run, workflow, step, ms, now }: TaskUse): Promise<void> {
  const { workspace, environment } = tenantOf(em);
  await sql`
    insert into workflow_meter (step_key, workspace_uid, environment, run_uid, workflow_key, metered_at, compute_ms,
      rate_uid, currency, cost_micro)
    select ${step}, ${workspace}, ${environment}, ${run}, ${workflow}, ${now}, t.compute_ms, rate.uid, rate.currency,
      round(t.compute_ms * rate.compute_second_micro / 1000.0)
    from (select ${Math.max(0, Math.round(ms))}::bigint) t (compute_ms)
    left join lateral (${rateAt(sql`${now}`, workspace, environment)}) rate on true
  `.execute(em.getKysely());
  await recordCrossings(em, { basis: 'metered', times: [now], now });
}

/** Whether the workflow run requested a pipeline run that is not metered yet. */
export async function isUnmetered(em: Em, run: string): Promise<boolean> {
  const { workspace, environment } = tenantOf(em);
  const { rows } = await sql`
    select from workflow_step_run s
    where s.run_uid = ${run} and s.workspace_uid = ${workspace} and s.environment = ${environment}
      and not exists (select from workflow_meter m where m.job_uid = s.job_uid) limit 1
  `.execute(em.getKysely());
  return rows.length > 0;
}

/** The metered cost of a run in one currency; null if no rate was set when the run ended. */
export type MeteredCost = {
  run: string;
  currency: string | null;
  jobs: number;
  computeMs: number;
  micro: string;
};

/** Returns the metered costs of runs of the current tenant. */
export async function costsOf(em: Em, runs: readonly string[]): Promise<MeteredCost[]> {
  const { workspace, environment } = tenantOf(em);
  const { rows } = await sql<MeteredCost>`
    select run_uid as run, currency, count(*)::int as jobs, sum(compute_ms)::float8 as "computeMs",
      coalesce(sum(cost_micro), 0)::text as micro
    from workflow_meter
    where run_uid = any(${[...runs]}) and workspace_uid = ${workspace} and environment = ${environment}
    group by 1, 2 order by 1, 2
  `.execute(em.getKysely());
  return rows;
}
