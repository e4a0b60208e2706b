import { sql } from 'kysely';
import { instant } from '#lib/data/as-of.query.ts';
import { tenantOf, type Em } from '#lib/database/base.ts';
import type { Distribution } from './disclosure.ts';
import type { MetricKey } from './metrics.ts';

export type ComparisonFilter = {
  metric?: string | undefined;
  period?: string | undefined;
  cohort?: string | undefined;
};

/** A published cell, with the figure that the current tenant contributed for the same metric and period. */
export type FoundComparison = {
  uid: string;
  metric: MetricKey;
  currency: string | null;
  period: string;
  cohort: string;
  methodVersion: string;
  contributorsAtLeast: number | null;
  distribution: Distribution | null;
  pooled: string | null;
  suppressionReason: 'confidential' | 'no_data' | null;
  cellHash: string;
  asOf: string;
  /** Null if the tenant did not contribute. */
  own: string | null;
};

/** Returns the published cells, newest first. */
export async function listComparisons(
  em: Em,
  { metric, period, cohort }: ComparisonFilter,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<FoundComparison[]> {
  const { workspace, environment } = tenantOf(em);
  const conditions = [
    sql`true`,
    ...(metric === undefined ? [] : [sql`c.metric = ${metric}`]),
    ...(period === undefined ? [] : [sql`c.period = ${period}`]),
    ...(cohort === undefined ? [] : [sql`c.cohort = ${cohort}`]),
    ...(after === undefined ? [] : [sql`c.uid < ${after}`]),
  ];
  const { rows } = await sql<FoundComparison>`
    select c.uid, c.metric, c.currency, c.period, c.cohort, c.method_version as "methodVersion",
      c.contributors_at_least as "contributorsAtLeast", c.distribution, c.pooled,
      c.suppression_reason as "suppressionReason", c.cell_hash as "cellHash", ${instant(sql`c.as_of`)} as "asOf",
      own.value as own
    from benchmark_cell c
    left join benchmark_contribution own on own.workspace_uid = ${workspace} and own.environment = ${environment}
      and own.period = c.period and own.metric = c.metric and own.currency is not distinct from c.currency
    where ${sql.join(conditions, sql` and `)}
    order by c.uid desc limit ${limit}
  `.execute(em.getKysely());
  return rows;
}

/** A cell with the reasons for withholding it. For operators. */
export type ExplainedCell = FoundComparison & {
  reason: string | null;
  pooledReason: string | null;
  groups: number;
};

/** Returns the published cells with the reasons for withholding cells, newest first. For operators. */
export async function explainCells(
  em: Em,
  { metric, period, cohort }: ComparisonFilter,
  limit: number,
): Promise<ExplainedCell[]> {
  const { rows } = await sql<ExplainedCell>`
    select c.uid, c.metric, c.currency, c.period, c.cohort, c.method_version as "methodVersion",
      c.contributors_at_least as "contributorsAtLeast", c.distribution, c.pooled,
      c.suppression_reason as "suppressionReason", c.cell_hash as "cellHash", ${instant(sql`c.as_of`)} as "asOf",
      null as own, b.reason, b.pooled_reason as "pooledReason", cardinality(b.groups) as groups
    from benchmark_cell c join benchmark_cell_basis b on b.cell_uid = c.uid
    where (${metric ?? null}::text is null or c.metric = ${metric ?? null})
      and (${period ?? null}::text is null or c.period = ${period ?? null})
      and (${cohort ?? null}::text is null or c.cohort = ${cohort ?? null})
    order by c.uid desc limit ${limit}
  `.execute(em.getKysely());
  return rows;
}
