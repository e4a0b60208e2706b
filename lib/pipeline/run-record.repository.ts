import type { Em } from '#lib/database/orm.ts';
import { Run, RunResult } from './run.entity.ts';

export type RunRecord = { run: Run; resultHash: string | null };

/** Reads a run of the tenant with the hash of its result. The result itself may be megabytes and stays where it is. */
export async function findRunRecord(em: Em, uid: string): Promise<RunRecord | undefined> {
  const run = await em.findOne(Run, { uid });
  if (!run) return undefined;
  if (run.state !== 'succeeded') return { run, resultHash: null };
  const { resultHash } = await em.findOneOrFail(RunResult, { runUid: uid }, { fields: ['resultHash'] });
  return { run, resultHash };
}
