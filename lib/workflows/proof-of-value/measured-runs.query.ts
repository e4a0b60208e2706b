import { sql, type RawBuilder } from 'kysely';
import { instantOf } from '#lib/core/clock.ts';
import { minorDigits } from '#lib/core/money.ts';
import { instant } from '#lib/data/as-of.query.ts';
import { tenantOf, type Em } from '#lib/database/base.ts';
import type { EndedRun } from './judge-runs.ts';
import type { ProofOfValue } from './proof-of-value.entity.ts';
import type { Measure } from './proof-states.ts';

/** Number of decimals of a metered cost, which is in millionths of a currency unit. */
const MICRO_DIGITS = 6;

export type MeasuredRun = EndedRun & { uid: string };

type Proof = Pick<ProofOfValue, 'workflowKey' | 'windowFrom' | 'windowTo' | 'terms'>;

/**
 * Returns every run of the workflow that ended in the window, whatever its final state, with its measured value. Every
 * run was admitted, because the database refuses runs without an admission.
 */
export async function measuredRuns(
  em: Em,
  { workflowKey, windowFrom, windowTo, terms }: Proof,
): Promise<MeasuredRun[]> {
  const { workspace, environment } = tenantOf(em);
  const value = terms.measure === null ? sql`null::numeric` : valueOf(terms.measure, terms.baseline.currency);
  const { rows } = await sql<{ uid: string; state: string; at: string; value: string | null }>`
    select r.uid, r.state, ${instant(sql`r.ended_at`)} as at, trim_scale(round((${value})::numeric, 8))::text as value
    from workflow_run r
    where r.workspace_uid = ${workspace} and r.environment = ${environment} and r.workflow_key = ${workflowKey}
      and r.ended_at >= ${windowFrom} and r.ended_at < ${windowTo}
    order by r.uid
  `.execute(em.getKysely());
  return rows.map(({ uid, state, at, value: text }) => ({ uid, state, endedAt: instantOf(at), value: text }));
}

/** Returns how many runs of the workflow were started before the end of the window and had not ended then. */
export async function openAtEnd(em: Em, { workflowKey, windowTo }: Proof): Promise<number> {
  const { workspace, environment } = tenantOf(em);
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from workflow_run
    where workspace_uid = ${workspace} and environment = ${environment} and workflow_key = ${workflowKey}
      and created_at < ${windowTo} and (ended_at is null or ended_at >= ${windowTo})
  `.execute(em.getKysely());
  return rows[0]!.count;
}

function valueOf(measure: Measure, currency: string | null): RawBuilder<unknown> {
  switch (measure) {
    case 'duration_seconds':
      return sql`extract(epoch from r.ended_at - r.created_at)`;
    case 'steps_waited_seconds':
      return waited;
    case 'cost_minor':
      return costOf(currency!);
  }
}

/** The time that the steps of a run waited for persons: approvals, and gates that asked a person. */
const waited = sql`(
  select coalesce(sum(greatest(0, extract(epoch from s.ended_at - s.started_at))), 0)
  from workflow_step s
  join workflow_version v on v.uid = r.version_uid
  left join lateral (
    select d.value ->> 'kind' as kind from jsonb_array_elements(v.definition -> 'steps') d (value)
    where d.value ->> 'key' = s.key
  ) of on true
  where s.run_uid = r.uid and s.workspace_uid = r.workspace_uid and s.environment = r.environment
    and s.started_at is not null and s.ended_at is not null and coalesce(of.kind, 'approval') in ('approval', 'gate')
)`;

/**
 * The metered cost of a run in minor units; null if the run has no metered cost, if a part of its usage has no price,
 * or if its costs are in another currency.
 */
function costOf(currency: string): RawBuilder<unknown> {
  const unit = 10 ** (MICRO_DIGITS - minorDigits(currency)!);
  return sql`(
    select case when bool_and(m.cost_micro is not null and m.currency = ${currency})
      then sum(m.cost_micro)::numeric / ${unit} end
    from workflow_meter m
    where m.run_uid = r.uid and m.workspace_uid = r.workspace_uid and m.environment = r.environment
      and not exists (
        select from workflow_step_run q where q.run_uid = r.uid
          and not exists (select from workflow_meter n where n.job_uid = q.job_uid)
      )
  )`;
}
