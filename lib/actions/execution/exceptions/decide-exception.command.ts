import type { Em } from '#lib/database/base.ts';
import { defineCommand, personOf, type RefusalCode } from '#lib/governance/command.ts';
import { EvidenceConflict } from '#lib/governance/evidence-conflict.entity.ts';
import { proposersOf } from '#lib/access/proposers.query.ts';
import { lockBatch } from '../batch/batch-lock.query.ts';
import { decideException, type ExceptionEvent, type ExceptionVerdict } from './exception-decision.ts';
import {
  CustodyObservation,
  ExecutionException,
  TradeConfirmation,
} from '../evidence/execution-evidence.entity.ts';
import { settleBatch } from '../reconciliation/settlement.write.ts';
import { placeOfRecord } from '#lib/governance/place-of-record.query.ts';

export type ExceptionDecision = Exclude<ExceptionEvent, 'clear'>;

type Input = { uid: string; event: ExceptionDecision; reason: string | null; evidence: string | null };

const ops = {
  acknowledge: 'exception.acknowledged',
  resolve: 'exception.resolved',
  waive: 'exception.waived',
} as const satisfies Record<ExceptionDecision, string>;

/** Acknowledges, resolves or waives a settlement exception, and reconciles the batch. */
export const decideExecutionException = defineCommand<Input>()({
  find: (em, { uid }) => placeOfRecord(em, ExecutionException, uid),
  unknown: 'exception_unknown',
  async lock(em, { uid }) {
    const { batchUid } = await em.findOneOrFail(ExecutionException, { uid });
    return (await lockBatch(em, batchUid))!;
  },
  async facts(em, batch, { uid }) {
    const exception = await em.findOneOrFail(ExecutionException, { uid }, { refresh: true });
    return { batch, exception, recorders: await recordersOf(em, batch.uid) };
  },
  decide({ exception, recorders }, { event }, at): ExceptionVerdict {
    const { state, kind, firstWaiverUid } = exception;
    return decideException(
      { state, kind, recorders, firstWaiver: firstWaiverUid ?? null },
      event,
      personOf(at),
    );
  },
  async write(em, { batch, exception }, { next, waitsForSecond }, at) {
    const { now, input } = at;
    const { event, reason, evidence } = input;
    const by = personOf(at);
    if (event === 'acknowledge') {
      em.assign(exception, { state: next, acknowledgedByUid: by, acknowledgedAt: now });
    } else if (waitsForSecond) {
      em.assign(exception, { firstWaiverUid: by, reason });
    } else {
      const ended = { endedBy: 'person' as const, endedByUid: by, endedAt: now, evidenceReference: evidence };
      em.assign(exception, { state: next, reason, ...ended });
      if (exception.kind === 'source_conflict')
        await endConflict(em, exception.key.split(':')[1]!, by, reason!, now);
    }
    await em.flush();
    return { result: { exception, batch }, consequences: await settleBatch(em, batch, now) };
  },
  entry: ({ exception }, verdict, { uid, event, reason, evidence }) => ({
    op: verdict.ok && verdict.waitsForSecond ? 'exception.waiver_requested' : ops[event],
    subject: { type: 'execution_exception', uid },
    details: {
      kind: exception.kind,
      batch_uid: exception.batchUid,
      reason,
      evidence_reference: evidence,
    },
  }),
  refusals: {
    exception_unknown: 'The exception does not exist.',
    transition_not_allowed: 'The state of the exception does not allow this decision.',
    decider_not_independent:
      'A person who recorded evidence about the batch, or is responsible for an application that recorded evidence, cannot decide the exception.',
    second_person_required: 'This person has already requested the waiver. A second person must confirm it.',
    custody_evidence_required: 'Only custody evidence or a waiver by two persons ends this exception.',
  } satisfies Record<RefusalCode<ExceptionVerdict> | 'exception_unknown', string>,
});

/**
 * Returns the persons who recorded evidence about a batch. Also returns the owners of the applications that recorded or
 * submitted evidence, including refused evidence, and the persons who are responsible for these applications.
 */
async function recordersOf(em: Em, batchUid: string): Promise<string[]> {
  const observations = await em.find(CustodyObservation, { batchUid });
  const confirmations = await em.find(TradeConfirmation, { batchUid });
  const refused = await em.find(EvidenceConflict, {
    subjectType: 'custody_observation',
    subjectUid: observations.map(({ uid }) => uid),
  });
  const uids = [
    ...observations.map(({ recordedByUid }) => recordedByUid),
    ...refused.map(({ offeredByUid }) => offeredByUid),
  ];
  return [...confirmations.map(({ recordedByUid }) => recordedByUid), ...(await proposersOf(em, uids))];
}

/** Ends a conflict. The refused evidence stays refused, and the stored evidence is used. */
async function endConflict(em: Em, uid: string, by: string, reason: string, now: Date): Promise<void> {
  const conflict = await em.findOne(EvidenceConflict, { uid, state: 'open' });
  if (conflict) em.assign(conflict, { state: 'resolved_keep', resolvedByUid: by, resolvedAt: now, reason });
}
