import { sql } from 'kysely';
import { tenantOf, type Em } from '#lib/database/base.ts';
import { lastDayOfPeriod, laterPeriod } from '#lib/data/period-steps.ts';
import type { PeriodFrequency } from '#lib/data/period.ts';
import type { LedgerMeasure } from './metric-name.ts';
import type { PeriodValue } from './period-grid.ts';

export type LedgerSeriesQuestion = {
  measure: LedgerMeasure;
  currency: string;
  frequency: PeriodFrequency;
  /**
   * The time by which a transaction must be recorded to be counted. A period that ends on or after the day of this time
   * counts as incomplete.
   */
  at: string;
};

const unit: Record<PeriodFrequency, string> = {
  daily: 'day',
  weekly: 'week',
  monthly: 'month',
  quarterly: 'quarter',
  yearly: 'year',
};

type Flow = { lastDay: string } & Record<LedgerMeasure, string>;

/**
 * Returns a measure of the ledger of the tenant of `em` in one currency, by period: from the first to the last complete
 * period with a posted transaction. A period without transactions has a flow of 0 and the balance of the previous
 * period. A reversal is counted in the opposite direction of its original, in the period in which it is booked.
 */
export async function ledgerSeries(em: Em, question: LedgerSeriesQuestion): Promise<PeriodValue[]> {
  const { measure, frequency } = question;
  const values: PeriodValue[] = [];
  for (const { lastDay, ...flow } of await flows(em, question)) {
    const before = values.at(-1);
    let next = before && laterPeriod(frequency, before.lastDay, 1);
    while (next !== undefined && next < lastDay) {
      values.push({ lastDay: next, value: measure === 'balance' ? before!.value : 0 });
      next = laterPeriod(frequency, next, 1);
    }
    values.push({ lastDay, value: Number(flow[measure]) });
  }
  return values;
}

async function flows(em: Em, { currency, frequency, at }: LedgerSeriesQuestion): Promise<Flow[]> {
  const { workspace, environment } = tenantOf(em);
  const known = sql`<= ${at}::timestamptz`;
  const { rows } = await sql<Flow & { day: string }>`
    select day::text as day, inflow::text as inflow, outflow::text as outflow, (inflow - outflow)::text as net_cash_flow,
      (sum(inflow - outflow) over (order by day))::text as balance
    from (
      select date_trunc(${unit[frequency]}, booked_at at time zone 'utc')::date as day,
        coalesce(sum(amount) filter (where is_inflow), 0) as inflow,
        coalesce(sum(amount) filter (where not is_inflow), 0) as outflow
      from (
        select coalesce(p.booked_at, t.booked_at) as booked_at,
          (t.direction = 'credit') <> (t.reverses_uid is not null) as is_inflow,
          case when t.reverses_uid is null then 1 else -1 end
            * t.amount_minor * ('1e-' || t.amount_scale)::numeric as amount
        from ledger_transaction t
        left join ledger_posting p on p.transaction_uid = t.uid and p.recorded_at ${known}
        where t.workspace_uid = ${workspace} and t.environment = ${environment} and t.currency = ${currency}
          and t.recorded_at ${known} and (t.status = 'posted' or p.transaction_uid is not null)
      ) booked
      group by 1
    ) flow
    order by day
  `.execute(em.getKysely());
  return rows
    .map(({ day, ...flow }) => ({ ...flow, lastDay: lastDayOfPeriod(frequency, day) }))
    .filter(({ lastDay }) => lastDay < at.slice(0, 10));
}
