import { sql, type RawBuilder } from 'kysely';
import type { Fraction } from '#lib/core/decimal.ts';
import { tenantOf, type Em } from '#lib/database/base.ts';
import { decimalText, divideExact, parseExact } from './exact.ts';
import { metrics, type MetricKey } from './metrics.ts';

/** The number of decimals in a contribution. */
const DECIMALS = 8;

type Window = { from: Date; to: Date };

/** The figure of a workspace for a metric and month, as decimal texts. `weight` is the number of records behind it. */
export type Measured = { currency: string | null; value: string; weight: string };

/** A sum over the records of a month, and their number. */
type Totals = { currency: string | null; sum: string; records: string; scale: bigint };

/**
 * Measures a metric for the current tenant and a month. Returns nothing if the tenant has fewer records than the metric
 * needs. A metric in money has one figure for each currency.
 */
export async function measure(em: Em, key: MetricKey, window: Window): Promise<Measured[]> {
  const totals = await readTotals[key](em, window);
  return totals
    .filter(({ records }) => BigInt(records) >= BigInt(metrics[key].minimum))
    .map(({ currency, sum, records, scale }) => ({
      currency,
      value: decimalText(meanOf(sum, BigInt(records) * scale), DECIMALS),
      weight: records,
    }));
}

/** Returns how many runs of the current tenant ended in a month. */
export async function countEndedRuns(em: Em, window: Window): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::float8 as count from run where ${ofTenant(em)} and ${within('finished_at', window)}
  `.execute(em.getKysely());
  return rows[0]!.count;
}

const SECONDS_PER_HOUR = 3_600n;
const MICRO = 1_000_000n;

const readTotals: Record<MetricKey, (em: Em, window: Window) => Promise<Totals[]>> = {
  reconciliation_match_rate: (em, window) =>
    total(
      em,
      sql`count(*) filter (where line ->> 'outcome' in ('matched', 'matched_within_tolerance'))`,
      sql`from custody_observation, jsonb_array_elements(reconciliation -> 'lines') line
        where ${ofTenant(em)} and ${within('recorded_at', window)}`,
    ),
  exception_resolution_hours: (em, window) =>
    total(
      em,
      sql`floor(sum(extract(epoch from ended_at - opened_at)))`,
      sql`from execution_exception where ${ofTenant(em)} and state = 'resolved' and ${within('ended_at', window)}`,
      SECONDS_PER_HOUR,
    ),
  approval_lead_hours: (em, window) =>
    total(
      em,
      sql`floor(sum(extract(epoch from activated_at - created_at)))`,
      sql`from delegation where ${ofTenant(em)} and ${within('activated_at', window)}`,
      SECONDS_PER_HOUR,
    ),
  async forecast_coverage_80(em, window) {
    const { rows } = await sql<{ sum: string; records: string }>`
      select coalesce(sum((each ->> 'inside')::bigint), 0)::text as sum,
        coalesce(sum((each ->> 'of')::bigint), 0)::text as records
      from forecast_score, jsonb_array_elements(score -> 'coverage') each
      where ${ofTenant(em)} and (each ->> 'level')::numeric = 80 and ${within('scored_at', window)}
    `.execute(em.getKysely());
    return rows.map((row) => ({ currency: null, ...row, scale: 1n }));
  },
  workflow_success_rate: (em, window) =>
    total(
      em,
      sql`count(*) filter (where state = 'succeeded')`,
      sql`from workflow_run where ${ofTenant(em)} and ${within('ended_at', window)}`,
    ),
  /** A run is counted only if all its usage has prices in the same currency. */
  async workflow_cost_per_run(em, window) {
    const { rows } = await sql<{ currency: string; sum: string; records: string }>`
      select currency, sum(micro)::text as sum, count(*)::text as records
      from (
        select min(m.currency) as currency, sum(m.cost_micro) as micro
        from workflow_run r join workflow_meter m on m.run_uid = r.uid
        where r.workspace_uid = ${tenantOf(em).workspace} and r.environment = ${tenantOf(em).environment}
          and ${within('r.ended_at', window)}
        group by r.uid having count(*) = count(m.cost_micro) and count(distinct m.currency) = 1
      ) priced group by currency order by currency
    `.execute(em.getKysely());
    return rows.map((row) => ({ ...row, scale: MICRO }));
  },
  async qlm_false_answer_rate(em, window) {
    const { workspace, environment } = tenantOf(em);
    const { rows } = await sql<{ sum: string; records: string }>`
      select coalesce(sum((o.members #>> '{result,false_answers,k}')::bigint), 0)::text as sum,
        coalesce(sum((o.members #>> '{result,false_answers,n}')::bigint), 0)::text as records
      from run r join run_result o on o.run_uid = r.uid
      where r.workspace_uid = ${workspace} and r.environment = ${environment}
        and r.kind = 'modeling.qlm-evaluations' and ${within('r.finished_at', window)}
        and (o.members #>> '{result,counts_for_gate}')::boolean
    `.execute(em.getKysely());
    return rows.map((row) => ({ currency: null, ...row, scale: 1n }));
  },
};

async function total(
  em: Em,
  sum: RawBuilder<unknown>,
  from: RawBuilder<unknown>,
  scale = 1n,
): Promise<Totals[]> {
  const { rows } = await sql<{ sum: string; records: string }>`
    select coalesce(${sum}, 0)::text as sum, count(*)::text as records ${from}
  `.execute(em.getKysely());
  return rows.map((row) => ({ currency: null, ...row, scale }));
}

function meanOf(sum: string, divisor: bigint): Fraction {
  return divideExact(parseExact(sum)!, { numerator: divisor, denominator: 1n });
}

function within(column: string, { from, to }: Window) {
  return sql`${sql.ref(column)} >= ${from} and ${sql.ref(column)} < ${to}`;
}

function ofTenant(em: Em) {
  const { workspace, environment } = tenantOf(em);
  return sql`workspace_uid = ${workspace} and environment = ${environment}`;
}
