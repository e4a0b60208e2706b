import { newUid } from '#lib/core/id.ts';
import { fitsTheWire } from '#lib/core/money.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import type { Em } from '#lib/database/base.ts';
import { conflictSlot, type ConflictSlot } from '#lib/governance/evidence-conflict.write.ts';
import { compareEvidence } from '#lib/governance/evidence.ts';
import { isKnownParty } from '#lib/access/known-party.query.ts';
import { isReleased, type BatchState } from '../batch/batch-states.ts';
import { isDependentSource } from './custody.query.ts';
import { withCountedElsewhere } from '../reconciliation/counted-elsewhere.query.ts';
import { CustodyObservation } from './execution-evidence.entity.ts';
import { decideObservation, type ObservationRule } from './observation-decision.ts';
import {
  observationFacts,
  readObservation,
  type ObservationContent,
  type OfferedObservation,
  type ReadObservation,
} from './observation.ts';
import type { OrderBatch } from '../batch/order-batch.entity.ts';
import { reconcileBatch, type Settled } from '../reconciliation/settlement.write.ts';

export type ObservationOffer = {
  batch: OrderBatch;
  previous: BatchState;
  /** The uid of the observation. The uid is used only if the observation is recorded. */
  uid: string;
  rule: ObservationRule;
  /** The observation that is already stored under the same reference; undefined if no observation is stored. */
  known?: CustodyObservation | undefined;
  /** The open conflict in which evidence against the known observation is stored, or a new conflict. */
  slot?: ConflictSlot;
  /** The settlement of the batch, with the submitted observation included. */
  settled?: Settled;
};

/**
 * Reads the facts on which the decision about a submitted custody observation depends. Later facts are read only if all
 * earlier facts allow the observation.
 */
export async function readOffer(
  em: Em,
  batch: OrderBatch,
  offered: OfferedObservation,
  now: Date,
): Promise<ObservationOffer> {
  const { custodian, source_system: sourceSystem } = offered;
  const times = { now, since: batch.createdAt, observedAt: new Date(offered.observed_at) };
  const rule: ObservationRule = {
    isDependent: await isDependentSource(em, batch.uid, { custodian, sourceSystem }),
    isCustodianKnown: await isKnownParty(em, 'custodian', { key: custodian }),
    read: readObservation(offered, times),
    isCancelled: batch.state === 'cancelled',
  };
  const offer = { batch, previous: batch.state, uid: newUid(prefixes.custodyObservation), rule };
  const { read } = rule;
  if (!decideObservation(rule).ok || !read.ok) return offer;
  const known = await em.findOne(CustodyObservation, {
    custodian,
    observationReference: offered.observation_reference,
  });
  return known
    ? compareKnown(em, { ...offer, known }, offered, read)
    : reconcileFresh(em, offer, offered, { read, now });
}

type Read = Extract<ReadObservation, { ok: true }>;

async function compareKnown(
  em: Em,
  offer: ObservationOffer & { known: CustodyObservation },
  { source_system: sourceSystem, source_reference: sourceReference }: OfferedObservation,
  { sourceHash, content }: Read,
): Promise<ObservationOffer> {
  const { batch, known } = offer;
  const comparison = compareEvidence(
    { sourceHash: known.sourceHash, content: flat(known.batchUid, known, known.content) },
    { sourceHash, content: flat(batch.uid, { sourceSystem, sourceReference }, content) },
  );
  const slot = await conflictSlot(em, {
    subject: { type: 'custody_observation', uid: known.uid },
    sourceHash,
    content: { ...content, batch_uid: batch.uid },
  });
  return { ...offer, slot, rule: { ...offer.rule, comparison } };
}

async function reconcileFresh(
  em: Em,
  offer: ObservationOffer,
  offered: OfferedObservation,
  { read, now }: { read: Read; now: Date },
): Promise<ObservationOffer> {
  const { batch } = offer;
  const from = {
    reference: offered.observation_reference,
    custodian: offered.custodian,
    sourceSystem: offered.source_system,
    sourceReference: offered.source_reference,
    sourceHash: read.sourceHash,
    contentHash: read.contentHash,
    isEarly: !isReleased(batch.state),
    countedElsewhere: [],
  };
  const facts = observationFacts(from, read.content);
  const [fresh] = await withCountedElsewhere(em, batch.uid, [{ facts, moved: [] }]);
  const settled = await reconcileBatch(em, batch, now, fresh);
  const beyond = settled.result.totals.find((each) => !fitsTheWire(each.settled));
  return { ...offer, settled, rule: { ...offer.rule, beyondWire: beyond?.currency } };
}

function flat(
  batch: string,
  { sourceSystem, sourceReference }: { sourceSystem: string; sourceReference: string },
  { lines, ...rest }: ObservationContent,
): Record<string, unknown> {
  return {
    ...rest,
    batch,
    source_system: sourceSystem,
    source_reference: sourceReference,
    lines: canonicalHash(lines),
  };
}
