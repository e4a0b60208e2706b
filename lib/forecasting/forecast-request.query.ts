import { sql } from 'kysely';
import { tenantOf, type Em } from '#lib/database/base.ts';
import { findMetric } from '#lib/data/metric-values.query.ts';
import { isWorkspaceMetric, type MetricDefinition } from '#lib/data/metric.ts';
import { findEconomicSeries } from '#lib/data/economic-series.query.ts';
import { Company } from '#lib/access/company.entity.ts';
import { lockLedger } from '#lib/ledger/ledger-lock.query.ts';
import { recordedBy } from '#lib/ledger/movement.query.ts';
import { metricSource } from './series/metric-name.ts';

export type MetricFault =
  | { code: 'unknown_metric'; detail: string }
  | { code: 'unknown_company'; detail: string }
  /**
   * The request names a company for a metric without companies, or no company for a metric that needs a
   * company.
   */
  | { code: 'company_required' | 'company_not_applicable'; detail: string };

export type CheckedMetric = { ok: true; metric: MetricDefinition } | { ok: false; fault: MetricFault };

export type MetricLookup = (name: string, company: number | null) => Promise<CheckedMetric>;

/**
 * Returns a function that checks metrics as `checkMetric` does. For many requests, each metric and company is looked up
 * only once.
 */
export function metricLookup(em: Em): MetricLookup {
  const metrics = new Map<string, Promise<MetricDefinition | undefined>>();
  let companies: Promise<ReadonlySet<number>> | undefined;
  return (name, company) => {
    const metric = metrics.get(name) ?? observableMetric(em, name);
    metrics.set(name, metric);
    return check(name, company, {
      metric: () => metric,
      isKnown: async (id) => (await (companies ??= companiesOf(em))).has(id),
    });
  };
}

/** Checks whether the tenant of `em` can read this metric of this company. */
export function checkMetric(em: Em, name: string, company: number | null): Promise<CheckedMetric> {
  return check(name, company, {
    metric: () => observableMetric(em, name),
    isKnown: async (id) => (await em.findOne(Company, { id })) !== null,
  });
}

type Facts = { metric(): Promise<MetricDefinition | undefined>; isKnown(company: number): Promise<boolean> };

async function check(name: string, company: number | null, facts: Facts): Promise<CheckedMetric> {
  const refuse = (code: MetricFault['code'], detail: string) =>
    ({ ok: false, fault: { code, detail } }) as const;
  const metric = await facts.metric();
  if (!metric) return refuse('unknown_metric', `The metric ${name} does not exist.`);
  if (isWorkspaceMetric(name)) {
    return company === null
      ? { ok: true, metric }
      : refuse('company_not_applicable', `${name} is not a company metric. Omit the company.`);
  }
  if (company === null) return refuse('company_required', `${name} is a company metric. Name a company.`);
  return (await facts.isKnown(company))
    ? { ok: true, metric }
    : refuse('unknown_company', `The company ${company} does not exist.`);
}

async function companiesOf(em: Em): Promise<ReadonlySet<number>> {
  const { rows } = await sql<{ id: number }>`
    select id from company where workspace_uid = ${tenantOf(em).workspace}
  `.execute(em.getKysely());
  return new Set(rows.map(({ id }) => id));
}

async function observableMetric(em: Em, name: string): Promise<MetricDefinition | undefined> {
  const metric = await findMetric(em, name);
  return metric && (await isObservable(em, name)) ? metric : undefined;
}

/** Whether an economic metric exists: as a series of the economics data, or imported under its name. */
async function isObservable(em: Em, name: string): Promise<boolean> {
  const source = metricSource(name);
  if (source.kind !== 'economics') return true;
  if (await findEconomicSeries(em, source.series, undefined)) return true;
  const { rows } = await sql<{ is: boolean }>`
    select exists (
      select from dataset_entitlement e join company_metric m on m.dataset_id = e.dataset_id
      where e.workspace_uid = ${tenantOf(em).workspace} and m.company = 'workspace' and m.metric = ${name}) as is
  `.execute(em.getKysely());
  return rows[0]!.is;
}

/**
 * Returns the current state of knowledge, so that the same values can be read again later: the moment, and the
 * revisions of the datasets that metrics are read from.
 */
export async function presentKnowledge(
  em: Em,
  { now, ofLedger }: { now: Date; ofLedger: boolean },
): Promise<{ at: Date; revisions: Record<string, number> }> {
  const { rows } = await sql<{ id: number; revision: number }>`
    select id, revision from dataset where kind in ('metrics', 'economics') order by id
  `.execute(em.getKysely());
  const revisions = Object.fromEntries(rows.map(({ id, revision }) => [id, revision]));
  if (!ofLedger) return { at: now, revisions };
  // The lock waits for pending writes to the ledger. Later writes cannot record a transaction with an earlier
  // time, so the state at the returned moment is final.
  await lockLedger(em, tenantOf(em));
  return { at: await recordedBy(em, now), revisions };
}
