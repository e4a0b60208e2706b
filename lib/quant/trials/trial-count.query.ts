import { sql } from 'kysely';
import { tenantOf, type Em } from '#lib/database/base.ts';
import type { TrialCount } from './trial.ts';

/**
 * Returns the count of the sealed trials of a family in the workspace and environment. `own` are the hashes of the
 * run's own trials. These trials are left out, so that a repetition is not counted twice.
 */
export async function countTrials(em: Em, family: string, own: readonly string[] = []): Promise<TrialCount> {
  const { workspace, environment } = tenantOf(em);
  const { rows } = await sql<TrialCount>`
    select count(*)::int as counted, count(sharpe)::int as measured,
      coalesce(sum(sharpe order by trial_hash), 0)::float8 as sharpe_sum,
      coalesce(sum(sharpe * sharpe order by trial_hash), 0)::float8 as sharpe_square_sum
    from strategy_trial
    where workspace_uid = ${workspace} and environment = ${environment} and family = ${family}
      and trial_hash <> all (${[...own]}::text[])
  `.execute(em.getKysely());
  return rows[0]!;
}
