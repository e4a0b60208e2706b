import { LockMode } from '@mikro-orm/core';
import { isUid } from '#lib/core/id.ts';
import { defineCommand } from '#lib/governance/command.ts';
import { placeOfRecord } from '#lib/governance/place-of-record.query.ts';
import { findRunRecord, type RunRecord } from './run-record.query.ts';
import { Run } from './run.entity.ts';
import { endCancelled } from './run.write.ts';
import { decideRun, type RunState } from './run.ts';

type Cancelling = {
  uid: string;
  /** Throws if the current state of the run differs from the state that the caller expected. */
  requireCurrent?(run: RunRecord): void;
};

type CancelVerdict =
  | { ok: true; next: RunState | 'unchanged' }
  | { ok: false; code: 'run_unknown' }
  | { ok: false; code: 'run_not_cancellable'; state: RunState };

/**
 * Cancels a run that has not ended. Cancelling again changes nothing. The result names the runs that can now be
 * admitted. The caller dispatches these runs to their queue.
 */
export const cancelRun = defineCommand<Cancelling>()({
  find: (em, { uid }) => placeOfRecord(em, Run, uid),
  unknown: 'run_unknown',
  async lock(em, { uid }) {
    if (isUid(uid)) await em.findOne(Run, { uid }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
  },
  async facts(em, _locked, { uid, requireCurrent }) {
    const run = isUid(uid) ? await findRunRecord(em, uid) : undefined;
    if (run) requireCurrent?.(run);
    return run;
  },
  decide(run): CancelVerdict {
    if (!run) return { ok: false, code: 'run_unknown' };
    const { state } = run;
    const verdict = decideRun(state, 'cancel');
    return verdict.ok ? verdict : { ok: false, code: 'run_not_cancellable', state };
  },
  async write(em, _run, { next }, { input: { uid }, now }) {
    const admitted = next === 'unchanged' ? undefined : await endCancelled(em, uid, now);
    return { result: { uid, admitted: admitted ?? [] } };
  },
  entry: (_run, verdict, { uid }) =>
    verdict.ok && verdict.next !== 'unchanged'
      ? { op: 'run.cancelled', subject: { type: 'run', uid } }
      : undefined,
  refusals: {
    run_unknown: 'The run does not exist.',
    run_not_cancellable: (_input, refused) =>
      `The run has already ended: ${'state' in refused ? refused.state : ''}.`,
  },
});
