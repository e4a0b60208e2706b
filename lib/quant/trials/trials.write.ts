import { sql } from 'kysely';
import { tenantOf, type Em } from '#lib/database/base.ts';
import type { Trial } from './trial.ts';

/** Adds the trials of a sealed run to their family. A trial that the family already contains changes nothing. */
export async function recordTrials(
  em: Em,
  { family, run, trials }: { family: string; run: string; trials: readonly Trial[] },
): Promise<void> {
  const { workspace, environment } = tenantOf(em);
  await sql`
    insert into strategy_trial (workspace_uid, environment, family, trial_hash, run_uid, sharpe)
    select ${workspace}, ${environment}, ${family}, hash, ${run}, sharpe
    from unnest(${trials.map(({ hash }) => hash)}::text[], ${trials.map(({ sharpe }) => sharpe)}::float8[])
      as trial (hash, sharpe)
    on conflict do nothing
  `.execute(em.getKysely());
}
