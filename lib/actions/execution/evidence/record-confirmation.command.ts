import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import type { Em } from '#lib/database/base.ts';
import { defineCommand, personOf, type Circumstances, type RefusalCode } from '#lib/governance/command.ts';
import { isReleased } from '../batch/batch-states.ts';
import { placeOfBatch } from '../batch/batch.query.ts';
import { lockBatch } from '../batch/batch-lock.query.ts';
import {
  decideConfirmation,
  readConfirmation,
  type ConfirmationContent,
  type ConfirmationFacts,
  type ConfirmationFile,
  type ConfirmationVerdict,
  type ReadConfirmation,
} from './confirmation.ts';
import { lockEvidence } from './evidence-lock.query.ts';
import { CustodyObservation, TradeConfirmation } from './execution-evidence.entity.ts';
import { isIndependent } from './independence.ts';
import type { OrderBatch } from '../batch/order-batch.entity.ts';
import { gatherFacts, settleBatch } from '../reconciliation/settlement.write.ts';

type Input = { batch: string; offered: ConfirmationFile };

type Facts = {
  batch: OrderBatch;
  read: ReadConfirmation;
  rule: ConfirmationFacts;
  /**
   * The earlier record of the same confirmation. If the submitted confirmation contradicts the accepted record: the
   * record of an equal confirmation that was refused earlier.
   */
  before: TradeConfirmation | undefined;
  /** The uid of the earlier confirmation, or of a new confirmation. */
  uid: string;
};

type Verdict = ConfirmationVerdict & { confirmation: string };

/**
 * Records a trade confirmation and reconciles its batch. If the same confirmation is already stored, only its
 * count increases. A confirmation is refused if another confirmation is stored under the same reference, or
 * if it repeats a line of the same document under another reference. The refused confirmation is stored too.
 * Until a person decides about the refused confirmation, the confirmation state of the batch is `disputed`.
 */
export const recordConfirmation = defineCommand<Input>()({
  find: (em, { batch }) => placeOfBatch(em, batch),
  unknown: 'batch_unknown',
  async lock(em, { batch: uid, offered }) {
    const batch = (await lockBatch(em, uid))!;
    await lockEvidence(em, ['confirmations', offered.source_system]);
    return batch;
  },
  facts: (em, batch, { offered }, { now }) => readFacts(em, batch, offered, now),
  decide: ({ rule, uid }): Verdict => ({ ...decideConfirmation(rule), confirmation: uid }),
  async write(em, facts, { isNew }, at) {
    const { batch, uid } = facts;
    keep(em, facts, { isRefused: false, at });
    await em.flush();
    const consequences = isNew ? await settleBatch(em, batch, at.now) : [];
    return { result: { batch, uid, isNew }, consequences };
  },
  async writeRefusal(em, facts, { code }, at) {
    if (code !== 'source_evidence_conflict') return undefined;
    keep(em, facts, { isRefused: true, at });
    await em.flush();
    return settleBatch(em, facts.batch, at.now);
  },
  entry({ batch }, _verdict, { offered }) {
    const { source_system, source_reference, executing_broker } = offered;
    return {
      op: 'batch.confirmed',
      subject: { type: 'order_batch', uid: batch.uid },
      details: { source_system, source_reference, executing_broker, state: batch.state },
    };
  },
  refusals: {
    batch_unknown: 'The order batch does not exist.',
    batch_not_released: 'The batch was not released for execution.',
    invalid_confirmation: 'The confirmation is not valid.',
    confirmation_source_not_independent:
      'The source or the broker of the confirmation also supplied custody evidence for the batch. Confirmations and custody evidence must come from independent parties.',
    source_evidence_conflict:
      'Another confirmation is stored under this reference, or contains a line of the same document. This confirmation is stored as refused.',
  } satisfies Record<RefusalCode<Verdict> | 'batch_unknown', string>,
});

async function readFacts(em: Em, batch: OrderBatch, offered: ConfirmationFile, now: Date): Promise<Facts> {
  const { uid: batchUid } = batch;
  const named = { sourceSystem: offered.source_system, sourceReference: offered.source_reference };
  const facts = await gatherFacts(em, batch, now);
  const known = await em.findOne(TradeConfirmation, { ...named, isRefused: false });
  const read = readConfirmation(offered, facts.orders, known ? [] : facts.confirmations);
  const rule = {
    isReleased: isReleased(batch.state),
    isSame: false,
    isDependent: false,
    isContradicted: false,
  };
  if (!read.ok) {
    const uid = newUid(prefixes.tradeConfirmation);
    return { batch, read, rule: { ...rule, faults: read.faults }, before: undefined, uid };
  }
  const { sourceHash, contentHash } = read;
  const isSame =
    known?.batchUid === batchUid && known.sourceHash === sourceHash && known.contentHash === contentHash;
  const observations = await em.find(CustodyObservation, { batchUid });
  const source = { sourceSystem: named.sourceSystem, executingBroker: offered.executing_broker };
  const isDependent = observations.some((each) => !isIndependent(each, source));
  const isContradicted =
    known !== null || (await isRepeated(em, named.sourceSystem, sourceHash, read.content));
  const refused = { ...named, batchUid, isRefused: true, contentHash, sourceHash };
  const before = isSame ? known : isContradicted && (await em.findOne(TradeConfirmation, refused));
  return {
    batch,
    read,
    rule: { ...rule, faults: [], isSame, isDependent, isContradicted },
    before: before || undefined,
    uid: before ? before.uid : newUid(prefixes.tradeConfirmation),
  };
}

/** Increases the count of an earlier confirmation, or stores a new confirmation. */
function keep(
  em: Em,
  { batch, read, before, uid }: Facts,
  { isRefused, at }: { isRefused: boolean; at: Circumstances & { input: Input } },
): void {
  const { now, input } = at;
  if (before) {
    before.timesSeen += 1;
    before.lastSeenAt = now;
    return;
  }
  if (!read.ok) throw new Error('a confirmation with faults must not be stored');
  const { content, contentHash, sourceHash, hashGrade } = read;
  em.create(TradeConfirmation, {
    uid,
    workspaceUid: batch.workspaceUid,
    environment: batch.environment,
    batchUid: batch.uid,
    isRefused,
    sourceSystem: input.offered.source_system,
    executingBroker: input.offered.executing_broker,
    sourceReference: input.offered.source_reference,
    sourceHash,
    hashGrade,
    content,
    contentHash,
    timesSeen: 1,
    lastSeenAt: now,
    confirmedAt: new Date(input.offered.confirmed_at),
    recordedByUid: personOf(at),
    recordedAt: now,
  });
}

/** Whether a confirmation of the same document already contains one of the lines, in any batch. */
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
