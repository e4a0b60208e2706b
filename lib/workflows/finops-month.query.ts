import { sql, type RawBuilder } from 'kysely';
import { minorDigits, wireMinor } from '#lib/core/money.ts';
import { instant } from '#lib/data/as-of.query.ts';
import { tenantOf, type Em } from '#lib/database/base.ts';
import { microToMinor } from './cost.ts';
import { currentFinopsPolicy } from './finops.query.ts';
import type { FinopsFigures, FinopsPolicyBody } from './finops-policy.schema.ts';

type Totals = { from: string; used: number; priced: number; micro: string };
export type ThresholdCrossing = { scope: string | null; pct: number; budget: string; at: string | null };

/**
 * Returns the costs of the current tenant's workflows in the current calendar month, counted by the given policy. The
 * month begins and ends in the time zone of the workspace.
 */
export async function monthToDate(em: Em, policy: FinopsPolicyBody, now: Date): Promise<FinopsFigures> {
  const { currency } = policy;
  const costs = costsOfMonth(em, policy, { of: now, until: now });
  const totals = await sql<Totals>`
    with ${costs}
    select ${instant(sql`b.start`)} as "from", count(c.at)::int as used, count(c.micro)::int as priced,
      coalesce(sum(c.micro), 0)::text as micro
    from bounds b left join costs c on true group by b.start
  `.execute(em.getKysely());
  const { from, used, priced, micro } = totals.rows[0]!;
  const minor = priced === 0 ? null : wireMinor(microToMinor(BigInt(micro), currency));
  return {
    month_to_date: {
      currency,
      from,
      billed_minor: minor,
      effective_minor: minor,
      is_floor: priced < used,
      coverage: used === 0 ? 'empty' : priced < used ? 'partial' : 'complete',
    },
    status: (await readCrossings(em, policy, costs)).map(({ scope, pct, budget, at }) => ({
      scope,
      budget_minor: Number(budget),
      threshold_pct: pct,
      crossed_at: at,
    })),
  };
}

/** Returns the costs of the current month, counted by the tenant's current policy; null if the tenant has no policy. */
export async function currentMonth(em: Em, now: Date): Promise<FinopsFigures | null> {
  const policy = await currentFinopsPolicy(em);
  return policy && monthToDate(em, policy.body, now);
}

/** Returns the value of a currency's minor unit in millionths of its major unit. */
function unitOf(currency: string): number {
  return 10 ** (6 - minorDigits(currency)!);
}

/**
 * Returns SQL with two parts: `bounds`, the bounds of the month, and `costs`, one row per usage. A row has no `micro`
 * if the usage has no price in the currency.
 */
function costsOfMonth(
  em: Em,
  { currency, cost_basis: basis }: FinopsPolicyBody,
  { of, until }: { of: Date; until?: Date },
): RawBuilder<unknown> {
  const { workspace, environment } = tenantOf(em);
  const rows =
    basis === 'metered'
      ? sql`select m.metered_at, m.workflow_key, m.currency, m.cost_micro::numeric, coalesce(m.job_uid, m.run_uid || m.step_key)
            from workflow_meter m
            where m.workspace_uid = ${workspace} and m.environment = ${environment}`
      : sql`select r.created_at, r.workflow_key, v.definition -> 'cost_estimate' ->> 'currency',
              (v.definition -> 'cost_estimate' ->> 'per_run_minor')::numeric * ${unitOf(currency)}::numeric, r.uid
            from workflow_run r join workflow_version v on v.uid = r.version_uid
            where r.workspace_uid = ${workspace} and r.environment = ${environment}`;
  return sql`
    bounds as (
      select month as first_day, month at time zone time_zone as start,
        (month + interval '1 month') at time zone time_zone as next
      from workspace, lateral (select date_trunc('month', ${of}::timestamptz at time zone time_zone)) m (month)
      where uid = ${workspace}
    ),
    used (at, workflow_key, currency, micro, uid) as (${rows}),
    costs as (
      select u.at, u.workflow_key, u.uid, case when u.currency = ${currency} then u.micro end as micro
      from used u, bounds b where u.at >= b.start and u.at < b.next ${until ? sql`and u.at <= ${until}` : sql``}
    )`;
}

/**
 * Returns the thresholds that the costs of the calendar month of `at` have reached. `month` in the result is the first
 * day of that month.
 */
export async function thresholdCrossings(
  em: Em,
  policy: FinopsPolicyBody,
  at: Date,
): Promise<(ThresholdCrossing & { month: string; at: string })[]> {
  const costs = costsOfMonth(em, policy, { of: at });
  const { rows } = await sql<{ month: string }>`
    with ${costs} select to_char(first_day, 'YYYY-MM-DD') as month from bounds
  `.execute(em.getKysely());
  const { month } = rows[0]!;
  const all = await readCrossings(em, policy, costs);
  return all.flatMap((each) => (each.at === null ? [] : [{ ...each, at: each.at, month }]));
}

/** Returns when each threshold of each budget was reached. */
async function readCrossings(
  em: Em,
  policy: FinopsPolicyBody,
  costs: RawBuilder<unknown>,
): Promise<ThresholdCrossing[]> {
  const unit = BigInt(unitOf(policy.currency));
  const budgets = [
    { scope: null, minor: policy.monthly_budget_minor },
    ...policy.per_workflow.map((each) => ({ scope: each.workflow_key, minor: each.monthly_budget_minor })),
  ];
  const marks = budgets.flatMap(({ scope, minor }) =>
    policy.thresholds_pct.map((pct) => ({ scope, pct, minor, reach: BigInt(minor) * unit * BigInt(pct) })),
  );
  const { rows } = await sql<ThresholdCrossing>`
    with ${costs},
    marks as (
      select * from unnest(
        ${marks.map(({ scope }) => scope)}::text[], ${marks.map(({ pct }) => pct)}::int[],
        ${marks.map(({ minor }) => String(minor))}::text[], ${marks.map(({ reach }) => String(reach))}::numeric[]
      ) with ordinality m (scope, pct, budget, reach, position)
    ),
    summed as (
      select at, workflow_key, sum(micro) over (order by at, uid) * 100 as of_all,
        sum(micro) over (partition by workflow_key order by at, uid) * 100 as of_own
      from costs where micro is not null
    ),
    reached as (
      select m.position, min(s.at) as at from marks m join summed s on s.of_all >= m.reach
      where m.scope is null group by 1
      union all
      select m.position, min(s.at) from marks m join summed s on s.workflow_key = m.scope and s.of_own >= m.reach
      group by 1
    )
    select m.scope, m.pct, m.budget, ${instant(sql`r.at`)} as at
    from marks m left join reached r using (position) order by m.position
  `.execute(em.getKysely());
  return rows;
}
