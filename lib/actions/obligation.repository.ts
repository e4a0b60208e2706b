import { LockMode } from '@mikro-orm/core';
import { sql } from 'kysely';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { tenantOf, type Em } from '#lib/database/base.ts';
import { keepConflict } from '#lib/governance/evidence-conflict.repository.ts';
import { compareEvidence, type ConflictKind, type HashGrade } from '#lib/governance/evidence.ts';
import { obligationHash, type ObligationContent } from './obligation.ts';
import { Obligation } from './obligation.entity.ts';

export type Offer = {
  sourceSystem: string;
  sourceReference: string;
  sourceHash: string;
  hashGrade: HashGrade;
  content: ObligationContent;
  application: string;
  now: Date;
};

export type Registration = {
  outcome: 'registered' | 'seen_again' | 'conflict' | 'withdrawn';
  obligation: Obligation;
  conflict?: { uid: string; kind: ConflictKind; differing: string[] };
};

/**
 * Registers an offered source, in the caller's transaction. Of many first offers at once one is registered; the same
 * source again is counted, and any other under its reference is kept as a conflict that makes the record disputed. What
 * was withdrawn stays so: its reference is never registered again.
 */
export async function registerObligation(em: Em, offer: Offer): Promise<Registration> {
  const uid = await insertFirst(em, offer);
  const { sourceSystem, sourceReference } = offer;
  const obligation = await em.findOneOrFail(
    Obligation,
    uid ? { uid } : { sourceSystem, sourceReference, governanceState: { $ne: 'superseded' } },
    { lockMode: LockMode.PESSIMISTIC_WRITE },
  );
  if (uid) return { outcome: 'registered', obligation };
  if (obligation.governanceState === 'withdrawn') return { outcome: 'withdrawn', obligation };
  const verdict = compareEvidence(
    { sourceHash: obligation.sourceHash, content: obligation.content },
    { sourceHash: offer.sourceHash, content: offer.content },
  );
  if (verdict.same) {
    obligation.timesSeen += 1;
    obligation.lastSeenAt = offer.now;
    return { outcome: 'seen_again', obligation };
  }
  const differing = verdict.differing.map((pointer) => pointer.replace(/_minor$/, ''));
  const { uid: conflict, isNew } = await keepConflict(em, {
    ...offer,
    subject: { type: 'obligation', uid: obligation.uid },
    kind: verdict.kind,
    differing,
  });
  if (isNew) {
    obligation.governanceState = 'disputed';
    obligation.conflictsOpen += 1;
  }
  return { outcome: 'conflict', obligation, conflict: { uid: conflict, kind: verdict.kind, differing } };
}

async function insertFirst(em: Em, offer: Offer): Promise<string | undefined> {
  const { workspace, environment } = tenantOf(em);
  const { sourceSystem: system, sourceReference: reference, sourceHash: hash, content, now } = offer;
  const { rows } = await sql<{ uid: string }>`
    insert into obligation (uid, workspace_uid, environment, governance_state, counterparty_id, source_system,
      source_reference, source_hash, hash_grade, currency, content, record_hash, last_seen_at, created_by_uid, created_at)
    values (${newUid(prefixes.obligation)}, ${workspace}, ${environment}, 'registered', ${content.counterparty_id},
      ${system}, ${reference}, ${hash}, ${offer.hashGrade}, ${content.currency}, ${JSON.stringify(content)}::jsonb,
      ${obligationHash({ system, reference, hash }, content)}, ${now}, ${offer.application}, ${now})
    on conflict do nothing returning uid
  `.execute(em.getKysely());
  return rows[0]?.uid;
}

/** Whether another record of the tenant has the same hash: one document under two references. */
export async function isHashReused(em: Em, { uid, sourceHash }: Obligation): Promise<boolean> {
  return (await em.count(Obligation, { sourceHash, uid: { $ne: uid } })) > 0;
}
