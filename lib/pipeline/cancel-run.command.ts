import { LockMode } from '@mikro-orm/core';
import { defineCommand, type RefusalCode } from '#lib/governance/command.ts';
import { placeOfRecord } from '#lib/governance/place-of-record.query.ts';
import { Run } from './run.entity.ts';
import { endCancelled } from './run.repository.ts';
import { decideRun, type RunState } from './run.ts';

type CancelVerdict =
  | { ok: true; next: RunState | 'unchanged' }
  | { ok: false; code: 'run_not_cancellable'; detail: string };

/**
 * Cancels a run that has not ended. Cancelling again changes nothing. The result names the runs that it makes room for,
 * which the caller hands to their queue.
 */
export const cancelAnyRun = defineCommand<{ run: string }>()({
  find: (em, { run }) => placeOfRecord(em, Run, run),
  unknown: 'run_unknown',
  lock: (em, { run }) =>
    em.findOneOrFail(Run, { uid: run }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true }),
  facts: async (_em, { state }) => state,
  decide(state): CancelVerdict {
    const verdict = decideRun(state, 'cancel');
    if (verdict.ok) return verdict;
    return { ok: false, code: 'run_not_cancellable', detail: `The run has already ended: ${state}.` };
  },
  async write(em, _state, { next }, { input, now }) {
    const admitted = next === 'unchanged' ? [] : await endCancelled(em, input.run, now);
    return { result: { admitted: admitted ?? [] } };
  },
  entry: (_state, verdict, { run }) =>
    verdict.ok && verdict.next !== 'unchanged'
      ? { op: 'run.cancelled', subject: { type: 'run', uid: run } }
      : undefined,
  refusals: {
    run_unknown: 'The run does not exist.',
    run_not_cancellable: 'The run has already ended.',
  } satisfies Record<RefusalCode<CancelVerdict> | 'run_unknown', string>,
});
