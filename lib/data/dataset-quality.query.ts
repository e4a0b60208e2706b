import { sql } from 'kysely';
import type { Em } from '#lib/database/base.ts';
import { daysBetween } from '#lib/core/date.ts';
import { coverage, isEntitled } from './dataset.query.ts';
import type { QualityFacts } from './dataset-quality.ts';

/**
 * Finds the newest dataset with this name to which the current tenant is entitled. Returns the facts that the checks
 * read, with the age of the data on the day `today` (UTC); undefined if there is no such dataset.
 */
export async function qualityFacts(
  em: Em,
  name: string,
  today: string,
): Promise<(QualityFacts & { uid: string }) | undefined> {
  const { rows } = await sql<{ uid: string; revision: number; rows: number; newest: string | null }>`
    select d.uid, d.revision, d.rows_held::float8 as rows, covered.last::text as newest
    from dataset d ${coverage}
    where d.name = ${name} and ${isEntitled(em)} order by d.uid desc limit 1
  `.execute(em.getKysely());
  const [found] = rows;
  if (!found) return undefined;
  const { uid, revision, rows: held, newest } = found;
  const ageDays = newest === null ? null : daysBetween(newest, today);
  return { uid, revision, rows: held, newestDay: newest, ageDays };
}
