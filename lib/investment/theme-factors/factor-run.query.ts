import { sql } from 'kysely';
import type { Em } from '#lib/database/base.ts';
import { tenantOf } from '#lib/database/base.ts';
import { taxonomyExposures, taxonomyInForce } from '#lib/data/taxonomy.query.ts';
import type { ThemeExposure } from '#lib/data/taxonomy.ts';
import { readResult } from '#lib/pipeline/run-result.query.ts';
import type { ThemeFactorsResult } from './theme-factors.result.ts';
import { themeFactorsRun } from './theme-factors.run.ts';

/** A sealed theme factor run with the exposures of the taxonomy that it used. */
export type FactorRun = {
  run: { uid: string; result_hash: string };
  result: ThemeFactorsResult;
  exposures: ThemeExposure[];
};

/** Returns the uid of the tenant's newest sealed theme factor run with an as-of date on or before a day. */
export async function latestFactorRun(em: Em, asOf: string): Promise<string | undefined> {
  const { workspace, environment } = tenantOf(em);
  const { rows } = await sql<{ uid: string }>`
    select uid from run
    where workspace_uid = ${workspace} and environment = ${environment} and kind = ${themeFactorsRun.key}
      and state = 'succeeded' and summary ->> 'as_of_date' <= ${asOf}
    order by summary ->> 'as_of_date' desc, right(uid, 26) desc limit 1
  `.execute(em.getKysely());
  return rows[0]?.uid;
}

/** Whether the tenant has a sealed theme factor run with this uid and an as-of date on or before a day. */
export async function isFactorRunBy(em: Em, uid: string, asOf: string): Promise<boolean> {
  const { workspace, environment } = tenantOf(em);
  const { rows } = await sql`
    select from run
    where uid = ${uid} and workspace_uid = ${workspace} and environment = ${environment}
      and kind = ${themeFactorsRun.key} and state = 'succeeded' and summary ->> 'as_of_date' <= ${asOf}
  `.execute(em.getKysely());
  return rows.length > 0;
}

/** Reads a sealed theme factor run. Returns undefined if its taxonomy can no longer be read. */
export async function readFactorRun(em: Em, uid: string): Promise<FactorRun | undefined> {
  const { workspace, environment } = tenantOf(em);
  const { rows } = await sql<{ revisions: Record<string, number> }>`
    select dataset_revisions as revisions from run
    where uid = ${uid} and workspace_uid = ${workspace} and environment = ${environment}
  `.execute(em.getKysely());
  const { members, resultHash } = await readResult(em, uid, []);
  const result = members['result'] as ThemeFactorsResult;
  const used = await taxonomyInForce(em, result.request.as_of_date, rows[0]!.revisions);
  if (used?.version !== result.taxonomy.version) return undefined;
  return { run: { uid, result_hash: resultHash }, result, exposures: await taxonomyExposures(em, used.id) };
}
