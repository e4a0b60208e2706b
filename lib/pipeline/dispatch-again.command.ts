import { isUid } from '#lib/core/id.ts';
import { defineCommand } from '#lib/governance/command.ts';
import { placeOfRecord } from '#lib/governance/place-of-record.query.ts';
import { admitRuns, type Admitted } from './admission.query.ts';
import { Dispatch, Run } from './run.entity.ts';

/**
 * Lets an open run be dispatched to its queue again, for example because the queue lost its job. Admits as many waiting
 * runs as the workspace may run. After the commit, the caller dispatches the `admitted` runs and dispatches `run` again.
 * `run` is undefined if the run still waits for admission.
 */
export const dispatchAgain = defineCommand<{ uid: string }>()({
  find: (em, { uid }) => placeOfRecord(em, Run, uid),
  unknown: 'run_unknown',
  lock: async () => undefined,
  facts: async (em, _locked, { uid }) => (isUid(uid) ? await em.findOne(Dispatch, { runUid: uid }) : null),
  decide: (dispatch) =>
    dispatch ? { ok: true as const, dispatch } : { ok: false as const, code: 'run_not_open' as const },
  async write(em, _dispatch, { dispatch }, { place }) {
    const { runUid: uid, kind, queue, tag: known } = dispatch;
    const admitted = await admitRuns(em, queue, place.workspace);
    const tag = known ?? admitted.find((other) => other.uid === uid)?.tag;
    const tenant = { workspace: dispatch.workspaceUid, environment: dispatch.environment };
    const run: Admitted | undefined = tag === undefined ? undefined : { ...tenant, uid, kind, queue, tag };
    return { result: { uid, admitted, run } };
  },
  entry: (_dispatch, verdict, { uid }) =>
    verdict.ok ? { op: 'run.dispatched_again', subject: { type: 'run', uid } } : undefined,
  refusals: {
    run_unknown: 'The run does not exist.',
    run_not_open: 'The run has already ended. Submit a new run instead.',
  },
});
