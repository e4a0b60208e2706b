import type { RunKind } from '#lib/core/run.ts';
import type { Caller } from '#lib/core/operation.ts';
import { listRuns } from '#lib/pipeline/run-record.query.ts';
import type { FoundRun } from '#lib/pipeline/run.write.ts';
import type { RunState } from '#lib/pipeline/run.ts';
import { listReply } from './http/page.ts';
import { presentSummary } from './runs.ts';
import type { Services } from './services.ts';

type ListQuery = { limit?: number; cursor?: string; state?: string };

export type RunList = {
  /** The job whose runs are listed. */
  job: RunKind;
  /**
   * The required values of members of the summary. Each value comes from the query parameter of the same
   * name. An undefined value does not filter.
   */
  summary: Readonly<Record<string, unknown>>;
};

/** Answers a list of the runs of a job, newest first, as summaries. */
export function runsReply(services: Services, query: ListQuery, { job, summary }: RunList) {
  const state = query.state as RunState | undefined;
  const requested = Object.entries(summary).filter(([, value]) => value !== undefined);
  return listReply(services, query, {
    list: job.resource,
    filters: {
      state: state ?? null,
      ...Object.fromEntries(Object.entries(summary).map(([name, value]) => [name, value ?? null])),
    },
    rows: (em, page) =>
      listRuns(em, {
        kind: job.key,
        state,
        summary: requested.length > 0 ? Object.fromEntries(requested) : undefined,
        ...page,
      }),
    present: (run) => presentSummary(job, run),
  });
}

export type ReadingCall = {
  services: Services;
  caller: Caller;
  signal: AbortSignal;
  params: { uid: string };
  query: { wait?: number; include?: string };
};

/**
 * Reads a run of one of the given kinds, with the requested attachments. First waits until the run has ended,
 * but not longer than the caller prefers. Returns undefined if there is no such run.
 */
export async function readRun(
  { services, caller, signal, params, query }: ReadingCall,
  kinds: readonly string[],
): Promise<FoundRun | undefined> {
  const include = query.include ? [query.include] : [];
  const waitMs = (query.wait ?? 0) * 1_000;
  const found = await services.runs.wait({ caller, signal }, params.uid, waitMs, include);
  return found && kinds.includes(found.run.kind) ? found : undefined;
}
