import { sql } from 'kysely';
import { tenantOf, type Em } from '#lib/database/base.ts';

/** The maximum number of runs that are counted. */
export const COUNTED_MAX = 10_000;

/**
 * Returns the number of sealed runs of a kind whose summary has these members, at most `COUNTED_MAX`, for the current
 * tenant.
 */
export async function countSealedRuns(
  em: Em,
  { kind, summary }: { kind: string; summary: Readonly<Record<string, unknown>> },
): Promise<number> {
  const { workspace, environment } = tenantOf(em);
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (
      select from run
      where workspace_uid = ${workspace} and environment = ${environment} and kind = ${kind}
        and state = 'succeeded' and summary @> ${JSON.stringify(summary)}::jsonb
      limit ${COUNTED_MAX}
    ) counted
  `.execute(em.getKysely());
  return rows[0]!.count;
}
