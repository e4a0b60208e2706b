import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import type { Em } from '#lib/database/base.ts';
import {
  applicationOf,
  defineCommand,
  type Circumstances,
  type Entry,
  type RefusalCode,
} from '#lib/governance/command.ts';
import { keepConflict } from '#lib/governance/evidence-conflict.write.ts';
import { gradeHash } from '#lib/governance/evidence.ts';
import { isReleased } from '../batch/batch-states.ts';
import { placeOfBatch } from '../batch/batch.query.ts';
import { lockBatch } from '../batch/batch-lock.query.ts';
import { lockEvidence, lockForObservation } from './evidence-lock.query.ts';
import { CustodyObservation } from './execution-evidence.entity.ts';
import { decideObservation, type ObservationVerdict } from './observation-decision.ts';
import { readOffer, type ObservationOffer } from './observation-facts.query.ts';
import type { OfferedObservation } from './observation.ts';
import type { OrderBatch } from '../batch/order-batch.entity.ts';
import {
  ENGINE_VERSION,
  linesOf,
  profileHash,
  totalsOf,
  worstOf,
  type KeptReconciliation,
} from '../batch/progress.ts';
import { settleBatch, writeSettlement, type Settled } from '../reconciliation/settlement.write.ts';
import { EXACT_PROFILE } from '../reconciliation/tolerance.ts';

type Input = { batch: string; offered: OfferedObservation };

/** The facts of the decision; undefined if the batch does not exist in the workspace and environment. */
type Facts = ObservationOffer | undefined;

export type CustodyVerdict =
  | Extract<ObservationVerdict, { ok: true }>
  | (Exclude<ObservationVerdict, { ok: true } | { code: 'observation_conflict' }> & { kept?: undefined })
  | (Extract<ObservationVerdict, { code: 'observation_conflict' }> & {
      conflict: string;
      kept: { uid: string; sourceHash: string };
    })
  | { ok: false; code: 'batch_unknown' };

/**
 * Records a custody observation and reconciles its batch from all evidence. If the same observation is
 * already stored, only its count increases. A different observation under the same reference is refused and
 * stored as a conflict. The conflict raises an exception on the batch that the stored observation belongs to.
 */
export const observeCustody = defineCommand<Input>()({
  find: (em, { batch }) => placeOfBatch(em, batch),
  unknown: 'batch_unknown',
  async lock(em, { batch: uid, offered }) {
    const { custodian, observation_reference: reference, source_system, source_reference } = offered;
    const batch = await lockForObservation(em, uid, { custodian, reference });
    const hash = gradeHash(offered.source_hash ?? '')?.hash ?? '';
    if (batch) await lockEvidence(em, ['source', custodian, source_system, source_reference, hash]);
    return batch;
  },
  facts: async (em, batch, { offered }, { now }): Promise<Facts> =>
    batch ? readOffer(em, batch, offered, now) : undefined,
  decide(facts): CustodyVerdict {
    if (!facts) return { ok: false, code: 'batch_unknown' };
    const verdict = decideObservation(facts.rule);
    if (verdict.ok || verdict.code !== 'observation_conflict') return verdict;
    const { uid, sourceHash } = facts.known!;
    return { ...verdict, conflict: facts.slot!.uid, kept: { uid, sourceHash } };
  },
  async write(em, facts, { outcome }, at) {
    const { batch, known, settled, previous } = facts!;
    if (outcome === 'seen_again') {
      Object.assign(known!, { timesSeen: known!.timesSeen + 1, lastSeenAt: at.now });
      return { result: { observation: known!, batch, previous } };
    }
    const observation = createObservation(em, facts!, at);
    await em.flush(); // an exception has a foreign key to its observation
    const consequences = await writeSettlement(em, batch, settled!, at.now);
    return { result: { observation, batch, previous }, consequences };
  },
  async writeRefusal(em, facts, verdict, at) {
    if (verdict.code !== 'observation_conflict') return undefined;
    const { batch, known, slot, rule } = facts!;
    const { kind, differing } = verdict;
    if (!rule.read.ok) throw new Error('an observation with faults cannot be a conflict');
    const { sourceHash, hashGrade, content } = rule.read;
    keepConflict(em, slot!, {
      subject: { type: 'custody_observation', uid: known!.uid },
      sourceHash,
      hashGrade,
      content: { ...content, batch_uid: batch.uid },
      kind,
      differing,
      application: applicationOf(at),
      now: at.now,
    });
    await em.flush();
    const owner = known!.batchUid === batch.uid ? batch : await lockBatch(em, known!.batchUid);
    return settleBatch(em, owner!, at.now);
  },
  entry(facts, verdict, _input, result): Entry | undefined {
    if (!facts) return undefined;
    const { batch } = facts;
    const observed = (uid: string) => ({ type: 'custody_observation', uid });
    if (verdict.ok) {
      if (verdict.outcome === 'seen_again') return undefined;
      const { uid, contentHash, reconciliation } = result!.observation;
      return {
        op: 'custody.observed',
        subject: observed(uid),
        afterHash: contentHash,
        details: { batch_uid: batch.uid, outcome: reconciliation.outcome },
      };
    }
    if (verdict.code === 'custody_source_not_independent')
      return { op: 'custody.observed', subject: { type: 'order_batch', uid: batch.uid } };
    if (verdict.code !== 'observation_conflict') return undefined;
    const { conflict: conflict_uid, kept } = verdict;
    return {
      op: 'custody.conflict',
      subject: observed(kept.uid),
      details: { batch_uid: batch.uid, conflict_uid },
    };
  },
  refusals: {
    batch_unknown: 'The order batch does not exist.',
    custody_source_not_independent:
      'The custodian or the source of the observation executed the trade or confirmed it. Custody evidence must come from an independent party.',
    unknown_custodian: '/custodian must be the key of a custodian of the workspace.',
    insufficient_evidence: 'The custody evidence is not sufficient to prove a settlement.',
    invalid_custody_evidence: 'The custody evidence is not valid.',
    batch_cancelled: 'The batch was cancelled. A cancelled batch accepts no evidence.',
    observation_conflict: 'A different observation is already stored under this reference.',
  } satisfies Record<RefusalCode<CustodyVerdict>, string>,
});

function createObservation(
  em: Em,
  { batch, uid, rule, settled }: ObservationOffer,
  at: Circumstances & { input: Input },
): CustodyObservation {
  if (!rule.read.ok) throw new Error('an observation with faults must not be stored');
  const { offered } = at.input;
  const { custodian, observation_reference: observationReference } = offered;
  return em.create(CustodyObservation, {
    uid,
    workspaceUid: batch.workspaceUid,
    environment: batch.environment,
    batchUid: batch.uid,
    observationReference,
    custodian,
    sourceSystem: offered.source_system,
    sourceReference: offered.source_reference,
    sourceHash: rule.read.sourceHash,
    hashGrade: rule.read.hashGrade,
    content: rule.read.content,
    contentHash: rule.read.contentHash,
    timesSeen: 1,
    lastSeenAt: at.now,
    isEarly: !isReleased(batch.state),
    reconciliation: reconciliationOf(batch, `${custodian}/${observationReference}`, settled!, at.now),
    recordedByUid: applicationOf(at),
    recordedAt: at.now,
  });
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
