import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import type { Em } from '#lib/database/base.ts';
import { isReleased } from './batch-states.ts';
import { lockBatch } from './batch.repository.ts';
import type { Cause } from './cause.ts';
import { readConfirmation, type ConfirmationContent, type ConfirmationFile } from './confirmation.ts';
import { lockEvidence } from './evidence-lock.repository.ts';
import { CustodyObservation, TradeConfirmation } from './execution-evidence.entity.ts';
import { isIndependent } from './independence.ts';
import type { EvidenceFault } from './observation.ts';
import type { OrderBatch } from './order-batch.entity.ts';
import { gatherFacts, settleBatch } from './settlement.repository.ts';

export type Confirmed =
  | { ok: true; batch: OrderBatch; confirmation: TradeConfirmation; isNew: boolean }
  | { ok: false; code: 'batch_unknown' | 'batch_not_released' | 'confirmation_source_not_independent' }
  | { ok: false; code: 'invalid_confirmation'; faults: EvidenceFault[] }
  | { ok: false; code: 'source_evidence_conflict'; confirmation: TradeConfirmation };

/**
 * Records a trade confirmation and reconciles its batch, in the caller's transaction. The same source again is counted;
 * any other under its reference, and one that repeats a line of the same document under another reference, is refused,
 * kept, and disputes the confirmation of the batch until a person decides.
 */
export async function recordConfirmation(
  em: Em,
  uid: string,
  offered: ConfirmationFile,
  by: string,
  cause: Cause,
): Promise<Confirmed> {
  const batch = await lockBatch(em, uid);
  if (!batch) return { ok: false, code: 'batch_unknown' };
  if (!isReleased(batch.state)) return { ok: false, code: 'batch_not_released' };
  const { source_system: sourceSystem, source_reference: sourceReference } = offered;
  await lockEvidence(em, ['confirmations', sourceSystem]);
  const facts = await gatherFacts(em, batch, cause.now);
  const known = await em.findOne(TradeConfirmation, { sourceSystem, sourceReference, isRefused: false });
  const read = readConfirmation(offered, facts.orders, known ? [] : facts.confirmations);
  if (!read.ok) return { ok: false, code: 'invalid_confirmation', faults: read.faults };
  const isSame =
    known?.batchUid === uid && known.sourceHash === read.sourceHash && known.contentHash === read.contentHash;
  if (known && isSame) {
    known.timesSeen += 1;
    known.lastSeenAt = cause.now;
    await em.flush();
    return { ok: true, batch, confirmation: known, isNew: false };
  }
  const source = { sourceSystem, executingBroker: offered.executing_broker };
  const observations = await em.find(CustodyObservation, { batchUid: uid });
  if (observations.some((each) => !isIndependent(each, source))) {
    return { ok: false, code: 'confirmation_source_not_independent' };
  }
  const isRefused = known !== null || (await isRepeated(em, sourceSystem, read.sourceHash, read.content));
  const again =
    isRefused &&
    (await em.findOne(TradeConfirmation, {
      batchUid: uid,
      isRefused: true,
      contentHash: read.contentHash,
      sourceHash: read.sourceHash,
      sourceSystem,
      sourceReference,
    }));
  if (again) {
    again.timesSeen += 1;
    again.lastSeenAt = cause.now;
  }
  const confirmation =
    again ||
    em.create(TradeConfirmation, {
      uid: newUid(prefixes.tradeConfirmation),
      workspaceUid: batch.workspaceUid,
      environment: batch.environment,
      batchUid: uid,
      isRefused,
      ...source,
      sourceReference,
      sourceHash: read.sourceHash,
      hashGrade: read.hashGrade,
      content: read.content,
      contentHash: read.contentHash,
      timesSeen: 1,
      lastSeenAt: cause.now,
      confirmedAt: new Date(offered.confirmed_at),
      recordedByUid: by,
      recordedAt: cause.now,
    });
  await em.flush();
  await settleBatch(em, batch, cause);
  return isRefused
    ? { ok: false, code: 'source_evidence_conflict', confirmation }
    : { ok: true, batch, confirmation, isNew: true };
}

/** Whether a confirmation of the same document holds a line already, in whichever batch. */
async function isRepeated(
  em: Em,
  sourceSystem: string,
  sourceHash: string,
  { lines }: ConfirmationContent,
): Promise<boolean> {
  const kept = await em.find(TradeConfirmation, { sourceSystem, sourceHash, isRefused: false });
  const held = new Set(kept.flatMap(({ content }) => content.lines.map(lineText)));
  return lines.some((line) => held.has(lineText(line)));
}

function lineText(line: ConfirmationContent['lines'][number]): string {
  const { order_hash, quantity, currency, settlement_amount_minor } = line;
  return [order_hash, quantity, currency, settlement_amount_minor].join(' ');
}
