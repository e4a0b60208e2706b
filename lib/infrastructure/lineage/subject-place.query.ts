import { sql } from 'kysely';
import type { Em, Tenant } from '#lib/database/base.ts';

/**
 * Returns the workspace and environment of a record of any tenant. A dataset belongs to both environments of its
 * workspace; the environment that used it most recently is first.
 */
export async function lineagePlaces(em: Em, uid: string): Promise<Tenant[]> {
  const { rows } = await sql<Tenant>`
    select workspace_uid as workspace, environment from run where uid = ${uid}
    union all select workspace_uid, environment from lqm_version where uid = ${uid}
    union all select workspace_uid, environment from lqm_model where uid = ${uid}
    union all select workspace_uid, environment from workflow_run where uid = ${uid}
    union all select workspace_uid, environment from qlm_answer where uid = ${uid}
    union all select workspace_uid, environment from obligation where uid = ${uid}
    union all select workspace_uid, environment from order_batch where uid = ${uid}
    union all (
      select workspace, environment from (
        select d.workspace_uid as workspace, e.environment,
          (select max(f.run_uid) from run_reference f where f.workspace_uid = d.workspace_uid
            and f.environment = e.environment and f.uid = 'dataset:' || d.id || '@' || d.revision) as last
        from dataset d cross join (values ('sandbox'), ('production')) e (environment)
        where d.uid = ${uid} and d.workspace_uid is not null
      ) known order by right(last, 26) desc nulls last, environment desc
    )
  `.execute(em.getKysely());
  return rows;
}
