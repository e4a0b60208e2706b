import { wireMinor } from '#lib/core/money.ts';
import type { FoundRun } from '#lib/workflows/read-runs.query.ts';

/** Returns the row of a run in a list. */
export function summariseRun({ run, version, cost }: FoundRun) {
  return {
    uid: run.uid,
    workflow: `${version.key} ${version.version}`,
    state: run.state,
    error: run.errorCode ?? null,
    created_at: run.createdAt.toISOString(),
    ended_at: run.endedAt?.toISOString() ?? null,
    cost_micro: cost ? `${cost.micro} ${cost.currency}` : null,
  };
}

/** Returns the steps of a run, one row each. */
export function presentSteps({ steps }: FoundRun) {
  return steps.map(({ key, state, attempts, jobUid, decidedByUid, errorCode }) => ({
    key,
    state,
    attempts,
    run_uid: jobUid ?? null,
    decided_by: decidedByUid ?? null,
    error_code: errorCode ?? null,
  }));
}

/** Returns a run in full, with the outputs of its steps. */
export function presentRun(found: FoundRun) {
  const { run, version, steps, cost } = found;
  const { key, version: number, digest } = version;
  return {
    uid: run.uid,
    workflow: { key, version: number, digest },
    state: run.state,
    error: run.errorCode ? { code: run.errorCode } : null,
    admission_uid: run.admissionUid,
    application_uid: run.applicationUid,
    requested_by: run.requestedByUid,
    parameters: run.parameters,
    created_at: run.createdAt.toISOString(),
    started_at: run.startedAt?.toISOString() ?? null,
    ended_at: run.endedAt?.toISOString() ?? null,
    deadline_at: run.deadlineAt.toISOString(),
    cost: cost && {
      currency: cost.currency,
      metered_minor: wireMinor(cost.minor),
      metered_micro: wireMinor(cost.micro),
      is_floor: cost.isFloor,
    },
    outputs_hash: run.outputsHash ?? null,
    steps: presentSteps(found).map((step, at) => ({ ...step, output: steps[at]!.output ?? null })),
  };
}

/** Returns the sealed report of a run, or undefined if the run has no sealed report. */
export function presentReport({ run, steps }: FoundRun): Record<string, unknown> | undefined {
  const report = steps.findLast(({ output }) => output && 'seal' in output && 'figures' in output);
  return report && { uid: run.uid, step: report.key, ...report.output };
}
