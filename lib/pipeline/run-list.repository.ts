import type { Em } from '#lib/database/orm.ts';
import { Run, RunResult } from './run.entity.ts';
import type { RunState } from './run.ts';

export type RunListQuestion = {
  kind?: string | undefined;
  state?: RunState | undefined;
  /** Members that the resolved input must have. */
  input?: Record<string, unknown> | undefined;
  /** The uid of the last run of the page before. */
  after: string | undefined;
  most: number;
};

export type ListedRun = { run: Run; resultHash: string | null };

/** The tenant's runs, newest first: uids grow with time, so the uid alone orders them. */
export async function listRuns(em: Em, question: RunListQuestion): Promise<ListedRun[]> {
  const { kind, state, input, after, most } = question;
  const runs = await em.find(
    Run,
    {
      ...(kind === undefined ? {} : { kind }),
      ...(state === undefined ? {} : { state }),
      ...(after === undefined ? {} : { uid: { $lt: after } }),
      ...(input === undefined ? {} : { input: { $contains: input } }),
    },
    { orderBy: { uid: 'desc' }, limit: most },
  );
  const results = await em.find(
    RunResult,
    { runUid: { $in: runs.map((run) => run.uid) } },
    { fields: ['runUid', 'resultHash'] },
  );
  const hashes = new Map(results.map((result) => [result.runUid, result.resultHash]));
  return runs.map((run) => ({ run, resultHash: hashes.get(run.uid) ?? null }));
}
