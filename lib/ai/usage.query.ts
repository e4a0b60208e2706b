import { sql } from 'kysely';
import { addDays } from '#lib/core/date.ts';
import { utcDate } from '#lib/core/clock.ts';
import { tenantOf, type Em } from '#lib/database/base.ts';
import { instant } from '#lib/data/as-of.query.ts';

/** A call without a recorded end is counted as lost when this time has passed since its start. */
const LOST_AFTER = '5 minutes';

export type UsageRow = {
  date: string;
  connectionUid: string;
  connectionLabel: string;
  provider: string;
  model: string;
  operation: 'chat' | 'embeddings' | 'rerank' | 'other';
  requests: number;
  failedRequests: number;
  /** The number of calls that may have cost something, but whose cost is unknown. */
  unpricedRequests: number;
  /** The sum of reported input tokens; null if no call reported any. */
  inputTokens: number | null;
  outputTokens: number | null;
  cacheReadInputTokens: number | null;
  cacheCreationInputTokens: number | null;
  reasoningOutputTokens: number | null;
  currency: string | null;
  costMicro: number | null;
  priceVersion: number | null;
  /** The number of calls that may have used tokens but did not report them. */
  unreportedRequests: number;
};

export type Usage = {
  from: string;
  to: string;
  rows: UsageRow[];
  firstEventAt: string | null;
  /** The number of calls whose end was recorded only after they had been counted as lost. */
  lateEvents: number;
  isTruncated: boolean;
};

export const USAGE_ROWS_MAX = 10_000;

/**
 * Reads the calls of the last `days` days (UTC), including today, grouped by day, connection, model,
 * operation and price.
 */
export async function readUsage(em: Em, days: number, now: Date): Promise<Usage> {
  const { workspace, environment } = tenantOf(em);
  const to = utcDate(now);
  const from = addDays(to, 1 - days);
  const { rows } = await sql<UsageRow & { late: number }>`
    with over as (
      select *, (started_at at time zone 'utc')::date as day, case when cost_micro is null then null else price_version end as priced
      from ai_call
      where workspace_uid = ${workspace} and environment = ${environment}
        and started_at >= ${from}::timestamp at time zone 'utc' and started_at <= ${now}
        and (ended_at is not null or started_at < ${now}::timestamptz - ${LOST_AFTER}::interval)
    )
    select o.day::text as date, o.connection_uid as "connectionUid", c.label as "connectionLabel", c.provider, o.model,
      o.operation, count(*)::integer as requests,
      count(*) filter (where o.failure is not null or o.ended_at is null)::integer as "failedRequests",
      count(*) filter (where o.cost_micro is null and coalesce(o.may_be_billed, true))::integer as "unpricedRequests",
      count(*) filter (where o.input_tokens is null and coalesce(o.may_be_billed, true))::integer as "unreportedRequests",
      sum(o.input_tokens)::float8 as "inputTokens", sum(o.output_tokens)::float8 as "outputTokens",
      sum(o.cache_read_input_tokens)::float8 as "cacheReadInputTokens",
      sum(o.cache_creation_input_tokens)::float8 as "cacheCreationInputTokens",
      sum(o.reasoning_output_tokens)::float8 as "reasoningOutputTokens",
      case when o.priced is null then null else o.currency end as currency, sum(o.cost_micro)::float8 as "costMicro",
      o.priced as "priceVersion",
      count(*) filter (where o.ended_at > o.started_at + ${LOST_AFTER}::interval)::integer as late
    from over o join ai_connection c on c.uid = o.connection_uid
    group by o.day, o.connection_uid, c.label, c.provider, o.model, o.operation, o.priced,
      case when o.priced is null then null else o.currency end
    order by o.day desc, o.connection_uid, o.model, o.operation, o.priced nulls last
    limit ${USAGE_ROWS_MAX + 1}
  `.execute(em.getKysely());
  const first = await sql<{ at: string | null }>`
    select ${instant(sql`min(started_at)`)} as at from ai_call
    where workspace_uid = ${workspace} and environment = ${environment}
  `.execute(em.getKysely());
  return {
    from,
    to,
    rows: rows.slice(0, USAGE_ROWS_MAX),
    firstEventAt: first.rows[0]!.at,
    lateEvents: rows.reduce((sum, { late }) => sum + late, 0),
    isTruncated: rows.length > USAGE_ROWS_MAX,
  };
}
