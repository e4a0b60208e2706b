import type { Em } from '#lib/database/base.ts';
import { EvidenceConflict } from '#lib/governance/evidence-conflict.entity.ts';
import { offerersOf } from '#lib/workspace/offerers.repository.ts';
import { lockBatch } from './batch.repository.ts';
import type { Cause } from './cause.ts';
import { decideException, type ExceptionEvent, type ExceptionVerdict } from './exception-decision.ts';
import { CustodyObservation, ExecutionException, TradeConfirmation } from './execution-evidence.entity.ts';
import { settleBatch } from './settlement.repository.ts';

export type ExceptionDecision = {
  event: Exclude<ExceptionEvent, 'clear'>;
  by: string;
  reason: string | null;
  evidence: string | null;
};

export type DecidedException =
  | { ok: true; exception: ExecutionException; waitsForSecond: boolean; batchState: string }
  | { ok: false; code: 'exception_unknown' }
  | (Extract<ExceptionVerdict, { ok: false }> & { exception: ExecutionException });

/** Locks the batch of an exception, asks the rule, writes what it says and what follows for the batch. */
export async function decideExecutionException(
  em: Em,
  uid: string,
  { event, by, reason, evidence }: ExceptionDecision,
  cause: Cause,
): Promise<DecidedException> {
  const found = await em.findOne(ExecutionException, { uid });
  if (!found) return { ok: false, code: 'exception_unknown' };
  const batch = (await lockBatch(em, found.batchUid))!;
  const exception = await em.findOneOrFail(ExecutionException, { uid }, { refresh: true });
  const { state, kind, firstWaiverUid } = exception;
  const recorders = await recordersOf(em, batch.uid);
  const verdict = decideException({ state, kind, recorders, firstWaiver: firstWaiverUid ?? null }, event, by);
  if (!verdict.ok) return { ...verdict, exception };
  if (event === 'acknowledge') {
    em.assign(exception, { state: verdict.next, acknowledgedByUid: by, acknowledgedAt: cause.now });
  } else if (verdict.waitsForSecond) {
    em.assign(exception, { firstWaiverUid: by, reason });
  } else {
    const ended = {
      endedBy: 'person' as const,
      endedByUid: by,
      endedAt: cause.now,
      evidenceReference: evidence,
    };
    em.assign(exception, { state: verdict.next, reason, ...ended });
    if (kind === 'source_conflict')
      await endConflict(em, exception.key.split(':')[1]!, by, reason!, cause.now);
  }
  await em.flush();
  await settleBatch(em, batch, cause);
  return { ok: true, exception, waitsForSecond: verdict.waitsForSecond, batchState: batch.state };
}

/** Who answers for the applications, or is the person, that recorded evidence about a batch or offered what was refused. */
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
  return [...confirmations.map(({ recordedByUid }) => recordedByUid), ...(await offerersOf(em, uids))];
}

/** The refused evidence stays refused: what was kept under the reference counts. */
async function endConflict(em: Em, uid: string, by: string, reason: string, now: Date): Promise<void> {
  const conflict = await em.findOne(EvidenceConflict, { uid, state: 'open' });
  if (conflict) em.assign(conflict, { state: 'resolved_keep', resolvedByUid: by, resolvedAt: now, reason });
}
