import { sql } from 'kysely';
import { checkSeal } from '#lib/core/seal.ts';
import type { Em, Environment } from '#lib/database/base.ts';
import { LogBroken } from '#lib/audit/log-check.ts';
import { verifyLog } from '#lib/audit/log.query.ts';
import type { Manifest } from './manifest.ts';
import { CellRefused } from './refused.ts';

/** The largest number of seals that one verification recomputes. */
export const SEALS_MAX = 1_000;

/** The number of sealed results that are read at the same time. A result can have megabytes. */
const BATCH = 20;

/**
 * Recomputes both logs of a workspace from the first leaf, and compares their sizes and roots with the manifest.
 * Refuses a log that differs.
 */
export async function verifyLogs(
  em: Em,
  { workspace: { uid }, logs }: Pick<Manifest, 'workspace' | 'logs'>,
): Promise<void> {
  for (const { environment, size, root_hash: root } of logs) {
    em.setFilterParams('tenant', { workspace: uid, environment: environment as Environment });
    const verified = await verifyLog(em).catch((cause: unknown) => {
      if (cause instanceof LogBroken)
        throw new CellRefused('log_differs', `${environment}: ${cause.message}`, { cause });
      throw cause;
    });
    if (verified.size !== size || verified.root !== root) {
      throw new CellRefused(
        'log_differs',
        `the log of ${environment} has ${verified.size} entries and the root ${verified.root}, and the manifest ` +
          `states ${size} entries and the root ${root}`,
      );
    }
  }
  em.setFilterParams('tenant', {});
}

/**
 * Recomputes the seals of up to 1,000 results of a workspace, the newest first. Returns their number. Refuses a seal
 * that does not match its result.
 */
export async function verifySeals(em: Em, workspace: string): Promise<number> {
  const found = await sql<{ uid: string }>`
    select uid from run where workspace_uid = ${workspace} and state = 'succeeded'
    order by right(uid, 26) desc limit ${SEALS_MAX}
  `.execute(em.getKysely());
  const uids = found.rows.map(({ uid }) => uid);
  for (let from = 0; from < uids.length; from += BATCH) {
    const { rows } = await sql<{ uid: string; members: object; resultHash: string; seal: object }>`
      select run_uid as uid, members, result_hash as "resultHash", seal from run_result
      where run_uid = any(${uids.slice(from, from + BATCH)})
    `.execute(em.getKysely());
    if (rows.length < Math.min(BATCH, uids.length - from))
      throw new CellRefused('seal_differs', 'a run has succeeded, but its result is missing');
    for (const { uid, members, resultHash, seal } of rows) {
      const { differences } = checkSeal({ ...members, result_hash: resultHash, seal });
      if (differences.length > 0)
        throw new CellRefused('seal_differs', `the seal of ${uid} does not match: ${differences.join(', ')}`);
    }
  }
  return uids.length;
}
