import type { Dispatch, Run } from '#lib/pipeline/run.entity.ts';

/** Returns the row of a run in `assay jobs list`. */
export function presentListed(run: Run) {
  return {
    uid: run.uid,
    workspace: run.workspaceUid,
    environment: run.environment,
    kind: run.kind,
    state: run.state,
    progress: run.progress,
    attempts: run.attempts,
    created_at: run.createdAt.toISOString(),
    ...timings(run),
  };
}

/**
 * Returns the fields that `assay jobs show` prints for a run. A run that has ended has no position in the
 * queue.
 */
export function presentShown(run: Run, dispatch: Dispatch | null, jobState: string) {
  return {
    ...presentListed(run),
    application: run.applicationUid,
    model: `${run.modelKey} ${run.modelVersion}`,
    request_id: run.requestId,
    started_at: run.startedAt?.toISOString() ?? null,
    finished_at: run.finishedAt?.toISOString() ?? null,
    queue: dispatch?.queue ?? null,
    turn: dispatch?.tag ?? null,
    admitted_at: dispatch?.admittedAt?.toISOString() ?? null,
    queue_job: jobState === 'unknown' ? 'none' : jobState,
    input: run.input,
    problem: run.problem ?? null,
  };
}

function timings({ createdAt, startedAt, finishedAt }: Run) {
  return {
    waited_ms: startedAt ? startedAt.getTime() - createdAt.getTime() : null,
    ran_ms: startedAt && finishedAt ? finishedAt.getTime() - startedAt.getTime() : null,
  };
}
