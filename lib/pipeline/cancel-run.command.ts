import { LockMode } from '@mikro-orm/core';
import { isUid } from '#lib/core/id.ts';
import { defineCommand, type RefusalCode } from '#lib/governance/command.ts';
import { findRunRecord, type RunRecord } from './run-record.repository.ts';
import { Run } from './run.entity.ts';
import { cancelRun } from './run.repository.ts';
import { decideRun } from './run.ts';

type Cancelling = {
  uid: string;
  requestId: string;
  /** Throws where the caller relies on another state of the run. */
  requireCurrent(run: RunRecord): void;
};

type CancelVerdict =
  | { ok: true }
  | { ok: false; code: 'run_unknown' }
  | { ok: false; code: 'run_not_cancellable'; state: RunRecord['state'] };

/** Cancels a run that has not ended. Cancelling again changes nothing. */
export const cancelOneRun = defineCommand<Cancelling>()({
  async find(em, { uid }) {
    const found = await em.findOne(Run, { uid }, { filters: false });
    return found ? { workspace: found.workspaceUid, environment: found.environment } : undefined;
  },
  unknown: 'run_unknown',
  async lock(em, { uid }) {
    if (isUid(uid)) await em.findOne(Run, { uid }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  },
  async facts(em, _locked, { uid, requireCurrent }) {
    const run = isUid(uid) ? await findRunRecord(em, uid) : undefined;
    if (run) requireCurrent(run);
    return run;
  },
  decide(run): CancelVerdict {
    if (!run) return { ok: false, code: 'run_unknown' };
    const { state } = run;
    return decideRun(state, 'cancel').ok ? { ok: true } : { ok: false, code: 'run_not_cancellable', state };
  },
  async write(em, _run, _verdict, { actor, now, input: { uid, requestId } }) {
    const { admitted } = await cancelRun(em, uid, { actor, requestId, now });
    return { result: { uid, admitted } };
  },
  // The statement that cancels writes its own entry, and none where nothing changes.
  entry: () => undefined,
  refusals: {
    run_unknown: 'There is no such job.',
    run_not_cancellable: 'The job has already ended.',
  } satisfies Record<RefusalCode<CancelVerdict>, string>,
});
