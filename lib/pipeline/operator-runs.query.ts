import type { Em } from '#lib/database/base.ts';
import { Dispatch, Run } from './run.entity.ts';
import type { RunState } from './run.ts';

export type RunsQuestion = {
  workspace?: string | undefined;
  state?: RunState | undefined;
  kind?: string | undefined;
  limit: number;
};

/** Lists the runs of all workspaces, newest first. For operators. */
export function listAllRuns(em: Em, { workspace, state, kind, limit }: RunsQuestion): Promise<Run[]> {
  return em.find(
    Run,
    {
      ...(workspace === undefined ? {} : { workspaceUid: workspace }),
      ...(state === undefined ? {} : { state }),
      ...(kind === undefined ? {} : { kind }),
    },
    { filters: false, orderBy: { createdAt: 'desc', uid: 'desc' }, limit },
  );
}

/** Finds a run of any workspace. If the run has not ended, also returns its dispatch record. For operators. */
export async function findAnyRun(
  em: Em,
  uid: string,
): Promise<{ run: Run; dispatch: Dispatch | null } | undefined> {
  const run = await em.findOne(Run, { uid }, { filters: false });
  return run ? { run, dispatch: await em.findOne(Dispatch, { runUid: uid }, { filters: false }) } : undefined;
}
