import { sql } from 'kysely';
import { appendAudit } from '#lib/audit/audit.write.ts';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { monthIndex, monthOfIndex } from '#lib/core/date.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import { serviceClasses, type Em } from '#lib/database/base.ts';
import { cellsOf, type EarlierMonth, type NewCell, type StoredContribution, type Subject } from './cell.ts';
import { metricKeys, metrics } from './metrics.ts';
import { MONTHS_COMPARED } from './months.ts';

/** Whether the cells of a month are published. */
export async function isPublished(em: Em, period: string): Promise<boolean> {
  const { rows } = await sql`select from benchmark_period where period = ${period}`.execute(em.getKysely());
  return rows.length > 0;
}

/**
 * Publishes the cells of a month, once. The audit log of every contributor records the number of cells and their hash.
 * Returns the number of cells; undefined if the month was published before.
 */
export async function publishCells(em: Em, period: string, now: Date): Promise<number | undefined> {
  const contributions = await readContributions(em, period);
  const pPercent = await newestParameter(em);
  const cells: NewCell[] = [];
  for (const subject of subjectsOf(contributions)) {
    const earlier = await readEarlier(em, subject, period);
    cells.push(...cellsOf(subject, contributions, { period, pPercent, serviceClasses, earlier }));
  }
  const { rows } = await sql`
    insert into benchmark_period (period, cells, published_at) values (${period}, ${cells.length}, ${now})
    on conflict do nothing returning period
  `.execute(em.getKysely());
  if (rows.length === 0) return undefined;
  await insertCells(em, cells, now);
  const afterHash = canonicalHash(cells.map(({ hash }) => hash));
  for (const workspace of new Set(contributions.map((each) => each.workspace))) {
    await sql`
      select set_config('app.workspace', ${workspace}, true), set_config('app.environment', 'production', true)
    `.execute(em.getKysely());
    await appendAudit(
      em,
      {
        at: now,
        op: 'benchmark.cell_published',
        actor: { kind: 'system' },
        subject: { type: 'benchmark_period', uid: period },
        afterHash,
        details: { period, cells: cells.length },
      },
      { workspace, environment: 'production' },
    );
  }
  return cells.length;
}

/** Returns the metrics, in their fixed order. A metric in money has one entry for each contributed currency. */
function subjectsOf(contributions: readonly StoredContribution[]): Subject[] {
  return metricKeys.flatMap((metric): Subject[] => {
    if (metrics[metric].unit !== 'currency') return [{ metric, currency: null }];
    const own = contributions.filter((each) => each.metric === metric);
    return [...new Set(own.map(({ currency }) => currency))].sort().map((currency) => ({ metric, currency }));
  });
}

async function readContributions(em: Em, period: string): Promise<StoredContribution[]> {
  const { rows } = await sql<StoredContribution>`
    select workspace_uid as workspace, metric, currency, group_key as "group", service_class as "serviceClass", region,
      size_band as "sizeBand", value, weight
    from benchmark_contribution where period = ${period} order by workspace_uid, metric, currency
  `.execute(em.getKysely());
  return rows;
}

/** Returns the published cells of a metric in the months before a month, with the contributions to them. */
async function readEarlier(em: Em, { metric, currency }: Subject, period: string): Promise<EarlierMonth[]> {
  const isEarlier = sql<boolean>`metric = ${metric} and currency is not distinct from ${currency}
    and period < ${period} and period >= ${monthOfIndex(monthIndex(period) - MONTHS_COMPARED)}`;
  const { rows: cells } = await sql<EarlierMonth['cells'][number] & { period: string }>`
    select c.period, c.cohort, b.groups from benchmark_cell c join benchmark_cell_basis b on b.cell_uid = c.uid
    where ${isEarlier} and c.suppression_reason is null order by c.period, c.uid
  `.execute(em.getKysely());
  if (cells.length === 0) return [];
  const { rows } = await sql<EarlierMonth['contributions'][number] & { period: string }>`
    select period, workspace_uid as workspace, group_key as "group", value, weight from benchmark_contribution
    where ${isEarlier} order by period, workspace_uid
  `.execute(em.getKysely());
  const contributions = Map.groupBy(rows, (row) => row.period);
  return [...Map.groupBy(cells, (cell) => cell.period)].map(([month, own]) => ({
    cells: own,
    contributions: contributions.get(month) ?? [],
  }));
}

async function newestParameter(em: Em): Promise<string | null> {
  const { rows } = await sql<{ p: string }>`
    select p_percent as p from benchmark_parameter order by id desc limit 1
  `.execute(em.getKysely());
  return rows[0]?.p ?? null;
}

async function insertCells(em: Em, cells: readonly NewCell[], now: Date): Promise<void> {
  const rows = cells.map(({ published, hash, basis }) => ({
    ...published,
    uid: newUid(prefixes.benchmarkCell),
    cell_hash: hash,
    groups: basis.groups,
    reason: basis.reason,
    pooled_reason: basis.pooledReason,
  }));
  await sql`
    with given as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as each (uid text, period text, metric text,
        currency text, cohort text, method_version text, contributors_at_least integer, distribution jsonb, pooled text,
        suppression_reason text, cell_hash text, groups text[], reason text, pooled_reason text)
    ), inserted as (
      insert into benchmark_cell (uid, period, metric, currency, cohort, method_version, contributors_at_least,
        distribution, pooled, suppression_reason, cell_hash, as_of)
      select uid, period, metric, currency, cohort, method_version, contributors_at_least, nullif(distribution, 'null'),
        pooled, suppression_reason, cell_hash, ${now} from given
    )
    insert into benchmark_cell_basis (cell_uid, groups, reason, pooled_reason)
    select uid, groups, reason, pooled_reason from given
  `.execute(em.getKysely());
}
