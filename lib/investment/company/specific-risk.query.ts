import { sql } from 'kysely';
import { tenantOf, type Em } from '#lib/database/base.ts';
import { themeFactorsRun } from '../theme-factors/theme-factors.run.ts';
import type { SpecificRisk } from '../theme-factors/theme-factors.result.ts';

/** Maximum number of runs that are searched for the latest as-of date. */
const RUNS_MAX = 200;

export type CompanySpecificRisk = SpecificRisk & { run_uid: string; as_of: string };

/**
 * Returns the specific risk of a company from a sealed theme factor run. Of the `RUNS_MAX` newest runs, those with an
 * as-of date up to the given day are considered. Uses the run with the latest as-of date, and of several such runs the
 * run that was submitted last. The run has read only data known at its as-of date. Returns undefined if there is no
 * run, or if the run has no specific risk for the company. `symbols` are the symbols of the company.
 */
export async function latestSpecificRisk(
  em: Em,
  { day, symbols }: { day: string; symbols: readonly string[] },
): Promise<CompanySpecificRisk | undefined> {
  const { workspace, environment } = tenantOf(em);
  const { rows } = await sql<{ uid: string; asOf: string; risk: SpecificRisk }>`
    with recent as (
      select uid, summary ->> 'as_of_date' as as_of from run
      where workspace_uid = ${workspace} and environment = ${environment} and kind = ${themeFactorsRun.key}
        and state = 'succeeded'
      order by right(uid, 26) desc limit ${RUNS_MAX}
    ), chosen as (
      select uid, as_of from recent where as_of <= ${day} order by as_of desc, right(uid, 26) desc limit 1
    )
    select chosen.uid, chosen.as_of as "asOf", risk
    from chosen
    join run_result sealed on sealed.run_uid = chosen.uid
      and sealed.workspace_uid = ${workspace} and sealed.environment = ${environment}
    cross join lateral json_array_elements(sealed.members #> '{result,specific_risk}') risk
    where risk ->> 'symbol' = any(${[...symbols]}::text[])
    order by array_position(${[...symbols]}::text[], risk ->> 'symbol') limit 1
  `.execute(em.getKysely());
  const [row] = rows;
  return row && { run_uid: row.uid, as_of: row.asOf, ...row.risk };
}
