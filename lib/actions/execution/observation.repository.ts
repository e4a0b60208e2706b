import { sql } from 'kysely';
import { appendAudit } from '#lib/audit/audit.repository.ts';
import { newUid } from '#lib/core/id.ts';
import { fitsTheWire, MINOR_MAX } from '#lib/core/money.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { Problem } from '#lib/core/problem.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import type { Em } from '#lib/database/base.ts';
import { keepConflict } from '#lib/governance/evidence-conflict.repository.ts';
import { compareEvidence, type ConflictKind, type HashGrade } from '#lib/governance/evidence.ts';
import { lockBatch } from './batch.repository.ts';
import { isReleased } from './batch-states.ts';
import type { Cause } from './cause.ts';
import { withElsewhere } from './elsewhere.repository.ts';
import { lockEvidence } from './evidence-lock.repository.ts';
import { CustodyObservation, ExecutionException, TradeConfirmation } from './execution-evidence.entity.ts';
import { isIndependent, type CustodySource } from './independence.ts';
import { observationFacts, type ObservationContent } from './observation.ts';
import type { OrderBatch } from './order-batch.entity.ts';
import {
  ENGINE_VERSION,
  linesOf,
  profileHash,
  totalsOf,
  worstOf,
  type KeptReconciliation,
} from './progress.ts';
import { settleBatch, type Settled } from './settlement.repository.ts';
import { EXACT_PROFILE } from './tolerance.ts';

export type CustodyOffer = {
  reference: string;
  custodian: string;
  sourceSystem: string;
  sourceReference: string;
  sourceHash: string;
  hashGrade: HashGrade;
  content: ObservationContent;
  contentHash: string;
  application: string;
};

export type Recorded =
  | { outcome: 'recorded' | 'seen_again'; observation: CustodyObservation; previous: OrderBatch['state'] }
  | {
      outcome: 'conflict';
      observation: CustodyObservation;
      conflict: string;
      kind: ConflictKind;
      differing: string[];
    };

/**
 * Records a custody observation and reconciles its batch, in the caller's transaction, which holds the batch and the one
 * that owns the reference. The same observation again is counted; any other under its reference is kept as a conflict, and
 * raises an exception of the batch that owns it.
 */
export async function recordObservation(
  em: Em,
  batch: OrderBatch,
  offer: CustodyOffer,
  cause: Cause,
): Promise<Recorded> {
  const known = await em.findOne(CustodyObservation, reference(offer));
  if (known) return seeAgain(em, batch, known, offer, cause);
  const isEarly = !isReleased(batch.state);
  const { custodian, sourceSystem, sourceReference, sourceHash } = offer;
  await lockEvidence(em, ['source', custodian, sourceSystem, sourceReference, sourceHash]);
  const offered = observationFacts({ ...offer, isEarly, elsewhere: [] }, offer.content);
  const [facts] = await withElsewhere(em, batch.uid, [{ facts: offered, moved: [] }]);
  const uid = newUid(prefixes.custodyObservation);
  let isFirst = true;
  const settled = await settleBatch(em, batch, cause, {
    observation: facts!,
    keep: async (settled) => {
      refuseBeyondWire(settled);
      const reconciliation = reconciliationOf(
        batch,
        `${offer.custodian}/${offer.reference}`,
        settled,
        cause.now,
      );
      isFirst = await insertObservation(em, batch, { uid, isEarly, offer, reconciliation }, cause.now);
      if (!isFirst) throw new Error('another batch took the reference meanwhile');
    },
  });
  const observation = await em.findOneOrFail(CustodyObservation, { uid });
  const { outcome } = observation.reconciliation;
  await appendAudit(em, {
    at: cause.now,
    op: 'custody.observed',
    actor: cause.actor,
    subject: { type: 'custody_observation', uid },
    requestId: cause.requestId,
    afterHash: offer.contentHash,
    details: { batch_uid: batch.uid, outcome },
  });
  return { outcome: 'recorded', observation, previous: settled.previous };
}

/** Totals are JSON integers: movements whose sum is none, those of kept evidence included, are refused whole. */
function refuseBeyondWire({ result }: Settled): void {
  const beyond = result.totals.filter(({ settled }) => !fitsTheWire(settled));
  if (!beyond.length) return;
  const message = `must not bring what has settled in ${beyond[0]!.currency} beyond ${MINOR_MAX} minor units`;
  const fault = { in: 'body' as const, pointer: '/lines', code: 'amount_range', message };
  throw new Problem('invalid_custody_evidence', `/lines ${message}.`, { errors: [fault] });
}

async function seeAgain(
  em: Em,
  batch: OrderBatch,
  known: CustodyObservation,
  offer: CustodyOffer,
  cause: Cause,
): Promise<Recorded> {
  const verdict = compareEvidence(
    { sourceHash: known.sourceHash, content: flat(known.batchUid, known, known.content) },
    { sourceHash: offer.sourceHash, content: flat(batch.uid, offer, offer.content) },
  );
  if (verdict.same) {
    known.timesSeen += 1;
    known.lastSeenAt = cause.now;
    await em.flush();
    return { outcome: 'seen_again', observation: known, previous: batch.state };
  }
  const { uid: conflict } = await keepConflict(em, {
    subject: { type: 'custody_observation', uid: known.uid },
    sourceHash: offer.sourceHash,
    hashGrade: offer.hashGrade,
    content: { ...offer.content, batch_uid: batch.uid },
    kind: verdict.kind,
    differing: verdict.differing,
    application: offer.application,
    now: cause.now,
  });
  await em.flush();
  await appendAudit(em, {
    at: cause.now,
    op: 'custody.conflict',
    actor: cause.actor,
    subject: { type: 'custody_observation', uid: known.uid },
    requestId: cause.requestId,
    refused: 'observation_conflict',
    details: { batch_uid: batch.uid, conflict_uid: conflict },
  });
  const owner = known.batchUid === batch.uid ? batch : await lockBatch(em, known.batchUid);
  await settleBatch(em, owner!, cause);
  return {
    outcome: 'conflict',
    observation: known,
    conflict,
    kind: verdict.kind,
    differing: verdict.differing,
  };
}

/** The confirmation of a batch that a custody source is not independent of, if there is one. */
export async function dependentConfirmation(
  em: Em,
  batch: string,
  custody: CustodySource,
): Promise<TradeConfirmation | undefined> {
  const confirmations = await em.find(TradeConfirmation, { batchUid: batch });
  return confirmations.find((each) => !isIndependent(custody, each));
}

/** What is wrong now with the orders of an observation, with itself, or with its batch as a whole. */
export async function exceptionsOf(em: Em, observation: CustodyObservation): Promise<ExecutionException[]> {
  const orders = observation.reconciliation.lines.flatMap(({ order_uid }) => (order_uid ? [order_uid] : []));
  const own = {
    $or: [
      { observationUid: observation.uid },
      { orderUid: orders },
      { orderUid: null, observationUid: null },
    ],
  };
  return em.find(
    ExecutionException,
    { batchUid: observation.batchUid, state: ['open', 'acknowledged'], ...own },
    { orderBy: { uid: 'asc' }, limit: 1_000 },
  );
}

function reference({ custodian, reference: observationReference }: CustodyOffer) {
  return { custodian, observationReference };
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

function reconciliationOf(
  { tolerance }: OrderBatch,
  key: string,
  { result, facts }: Settled,
  now: Date,
): KeptReconciliation {
  const lines = linesOf(key, result, facts);
  const { uid, version, hash, entries } = tolerance ?? EXACT_PROFILE;
  return {
    uid: newUid(prefixes.reconciliation),
    evaluated_at: now.toISOString(),
    engine_version: ENGINE_VERSION,
    tolerance_profile: { uid, version, hash: hash ?? profileHash(entries) },
    outcome: worstOf(lines),
    lines,
    totals: totalsOf(result),
  };
}

type Row = { uid: string; isEarly: boolean; offer: CustodyOffer; reconciliation: KeptReconciliation };

async function insertObservation(
  em: Em,
  batch: OrderBatch,
  { uid, isEarly, offer, reconciliation }: Row,
  now: Date,
): Promise<boolean> {
  const { rows } = await sql<{ uid: string }>`
    insert into custody_observation (uid, workspace_uid, environment, batch_uid, observation_reference, custodian,
      source_system, source_reference, source_hash, hash_grade, content, content_hash, last_seen_at, is_early,
      reconciliation, recorded_by_uid, recorded_at)
    values (${uid}, ${batch.workspaceUid}, ${batch.environment}, ${batch.uid}, ${offer.reference}, ${offer.custodian},
      ${offer.sourceSystem}, ${offer.sourceReference}, ${offer.sourceHash}, ${offer.hashGrade},
      ${JSON.stringify(offer.content)}::jsonb, ${offer.contentHash}, ${now}, ${isEarly},
      ${JSON.stringify(reconciliation)}::jsonb, ${offer.application}, ${now})
    on conflict do nothing returning uid
  `.execute(em.getKysely());
  return rows.length === 1;
}
