import { defineCommand, personOf, type RefusalCode } from '#lib/governance/command.ts';
import { placeOfRecord } from '#lib/governance/place-of-record.query.ts';
import { cancelRuns } from '#lib/pipeline/bulk-runs.write.ts';
import { lockRun, stepsOf, unknownRun } from './locked-run.query.ts';
import { isOver, isStepOver } from './run-states.ts';
import { watchRun } from './watch.write.ts';
import { WorkflowRun } from './workflow-run.entity.ts';

type CancelVerdict = { ok: true } | { ok: false; code: 'run_not_cancellable' };

/** Cancels a run of a workflow, and the pipeline runs that its steps wait for. One person alone can cancel a run. */
export const cancelWorkflowRun = defineCommand<{ run: string; reason: string }>()({
  find: (em, { run }) => placeOfRecord(em, WorkflowRun, run),
  unknown: 'run_unknown',
  lock: (em, { run }) => lockRun(em, run),
  facts: async (em, run) => ({ run, steps: await stepsOf(em, run) }),
  decide: ({ run }): CancelVerdict =>
    isOver(run.state) ? { ok: false, code: 'run_not_cancellable' } : { ok: true },
  async write(em, { run, steps }, _verdict, at) {
    const { now } = at;
    const open = steps.flatMap(({ state, jobUid }) => (state === 'running' && jobUid ? [jobUid] : []));
    for (const step of steps) {
      if (!isStepOver(step.state)) em.assign(step, { state: 'cancelled', endedAt: now });
    }
    em.assign(run, { state: 'cancelled', endedAt: now });
    await em.flush();
    await watchRun(em, run.uid, now);
    const actor = { kind: 'person', uid: personOf(at) } as const;
    const jobs: string[] = [];
    return {
      result: { jobs },
      /** Cancels the pipeline runs. Called after the workflow run that requested them has ended. */
      async follow() {
        if (open.length > 0) jobs.push(...(await cancelRuns(em, open, { actor, requestId: run.uid, now })));
      },
    };
  },
  entry: ({ run }, { ok }, { reason }) =>
    ok
      ? {
          op: 'workflow.run_cancelled',
          subject: { type: 'workflow_run', uid: run.uid },
          details: { reason },
        }
      : undefined,
  refusals: {
    ...unknownRun,
    run_not_cancellable: 'The run has already ended.',
  } satisfies Record<RefusalCode<CancelVerdict> | 'run_unknown', string>,
});
