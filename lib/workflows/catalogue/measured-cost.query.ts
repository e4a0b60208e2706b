import { sql } from 'kysely';
import { tenantOf, type Em } from '#lib/database/base.ts';
import { divideHalfEven } from '#lib/core/decimal.ts';
import { microToMinor } from '../cost.ts';

/** The minimum number of runs for which a mean cost is reported. */
const RUNS_MIN = 20;
/** Maximum number of ended runs of a key, newest first, over which the mean is computed. */
const RUNS_MAX = 500;

/** The mean metered cost of a run. `n` is the number of runs. */
export type MeasuredCost = { currency: string; perRunMinor: bigint; n: number };

/**
 * Returns, by key, the mean cost of the current tenant's newest ended runs, over at most 500 runs of each key. A key is
 * missing if fewer than 20 of these runs have a cost, if the costs are in several currencies, or if a part of the usage
 * has no price.
 */
export async function measuredCosts(em: Em, keys: readonly string[]): Promise<Map<string, MeasuredCost>> {
  const { workspace, environment } = tenantOf(em);
  const { rows } = await sql<{ key: string; currency: string; micro: string; n: number }>`
    select k.key, min(m.currency) as currency, sum(m.micro)::text as micro, count(*)::int as n
    from unnest(${[...keys]}::text[]) k (key)
    cross join lateral (
      select uid from workflow_run
      where workspace_uid = ${workspace} and environment = ${environment} and workflow_key = k.key
        and ended_at is not null
      order by uid desc limit ${RUNS_MAX}
    ) r
    cross join lateral (
      select min(currency) as currency, max(currency) as other, sum(cost_micro) as micro,
        bool_or(cost_micro is null) as is_floor
      from workflow_meter
      where run_uid = r.uid and workspace_uid = ${workspace} and environment = ${environment}
      having count(*) > 0
    ) m
    group by k.key
    having count(*) >= ${RUNS_MIN} and not bool_or(m.is_floor) and min(m.currency) = max(m.other)
  `.execute(em.getKysely());
  return new Map(
    rows.map(({ key, currency, micro, n }) => [
      key,
      { currency, n, perRunMinor: microToMinor(divideHalfEven(BigInt(micro), BigInt(n)), currency) },
    ]),
  );
}
