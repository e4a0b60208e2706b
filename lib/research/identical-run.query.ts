import { sql } from 'kysely';
import { hasResultHash } from '#lib/pipeline/run-result.query.ts';
import { tenantOf, type Em } from '#lib/database/base.ts';

/**
 * Returns the first run of a kind that sealed the same result before the given run; undefined if the given run was the
 * first. Of two runs submitted at the same instant, the run with the lower uid is first.
 */
export async function firstIdentical(
  em: Em,
  { kind, uid, resultHash }: { kind: string; uid: string; resultHash: string },
): Promise<string | undefined> {
  const { workspace, environment } = tenantOf(em);
  const { rows } = await sql<{ uid: string }>`
    select r.run_uid as uid from run_result r
    join run on run.uid = r.run_uid and run.kind = ${kind}
    where r.workspace_uid = ${workspace} and r.environment = ${environment}
      and ${hasResultHash('r.result_hash', resultHash)}
      and r.run_uid < ${uid}
    order by r.run_uid limit 1
  `.execute(em.getKysely());
  return rows[0]?.uid;
}
