import { sql } from 'kysely';
import { tenantOf } from '#lib/database/base.ts';
import type { Em } from '#lib/database/orm.ts';
import { findMetric } from '#lib/data/metric.repository.ts';
import { isWorkspaceMetric, type MetricDefinition } from '#lib/data/metric.ts';
import { findEconomicSeries } from '#lib/data/economics.repository.ts';
import { Company } from '#lib/workspace/company.entity.ts';
import { lockLedger } from './ledger/ledger-lock.repository.ts';
import { recordedBy } from './ledger/movement.repository.ts';
import { metricSource } from './series/metric-name.ts';

export type MetricFault =
  | { code: 'unknown_metric'; detail: string }
  | { code: 'unknown_company'; detail: string }
  /** A company where there is none, or none where there must be one. */
  | { code: 'company_required' | 'company_not_applicable'; detail: string };

export type CheckedMetric = { ok: true; metric: MetricDefinition } | { ok: false; fault: MetricFault };

/** Whether there is such a metric of such a company among what the em's tenant may read. */
export async function checkMetric(em: Em, name: string, company: number | null): Promise<CheckedMetric> {
  const refuse = (code: MetricFault['code'], detail: string) =>
    ({ ok: false, fault: { code, detail } }) as const;
  const metric = await findMetric(em, name);
  const isThere = metric && (await isObservable(em, name));
  if (!isThere) return refuse('unknown_metric', `There is no metric ${name}.`);
  if (isWorkspaceMetric(name)) {
    return company === null
      ? { ok: true, metric }
      : refuse('company_not_applicable', `${name} is of no company.`);
  }
  if (company === null) return refuse('company_required', `${name} is of a company.`);
  const known = await em.findOne(Company, { id: company });
  return known ? { ok: true, metric } : refuse('unknown_company', `There is no company ${company}.`);
}

/** An economic metric is there when its series is, or when it was imported under its name. */
async function isObservable(em: Em, name: string): Promise<boolean> {
  const source = metricSource(name);
  if (source.kind !== 'economics') return true;
  if (await findEconomicSeries(em, source.series)) return true;
  const { rows } = await sql<{ is: boolean }>`
    select exists (
      select from dataset_entitlement e join company_metric m on m.dataset_id = e.dataset_id
      where e.workspace_uid = ${tenantOf(em).workspace} and m.company = 'workspace' and m.metric = ${name}) as is
  `.execute(em.getKysely());
  return rows[0]!.is;
}

/** What is known at a moment, so that it can be read again: the moment, and the revisions of what metrics are read from. */
export async function presentKnowledge(
  em: Em,
  { now, ofLedger }: { now: Date; ofLedger: boolean },
): Promise<{ at: Date; revisions: Record<string, number> }> {
  const { rows } = await sql<{ id: number; revision: number }>`
    select id, revision from dataset where kind in ('metrics', 'economics') order by id
  `.execute(em.getKysely());
  const revisions = Object.fromEntries(rows.map(({ id, revision }) => [id, revision]));
  if (!ofLedger) return { at: now, revisions };
  // What is being recorded is waited for, so that nothing comes to be known by then afterwards.
  await lockLedger(em, tenantOf(em));
  return { at: await recordedBy(em, now), revisions };
}
