import { LockMode } from '@mikro-orm/core';
import { sql } from 'kysely';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { tenantOf, type Em } from '#lib/database/base.ts';
import { compareEvidence, type ConflictKind, type HashGrade } from '#lib/governance/evidence.ts';
import { keepConflict } from '#lib/governance/evidence-conflict.repository.ts';
import { termsHash, type NettingSetTerms } from './netting-set.ts';
import { NettingSet } from './netting-set.entity.ts';

export type NettingSetOffer = {
  terms: NettingSetTerms;
  sourceReference: string;
  sourceHash: string;
  hashGrade: HashGrade;
  application: string;
  now: Date;
};

export type Recording =
  | { outcome: 'recorded' | 'seen_again'; nettingSet: NettingSet }
  | { outcome: 'name_in_use' }
  | {
      outcome: 'conflict';
      nettingSet: NettingSet;
      conflict: { uid: string; kind: ConflictKind; differing: string[] };
    };

/**
 * Records supplied terms, in the caller's transaction. Of many first offers at once one is recorded; the same source
 * again is counted, and any other under its reference is kept as a conflict. Names are taken once, whatever the case.
 */
export async function recordNettingSet(em: Em, offer: NettingSetOffer): Promise<Recording> {
  const uid = await insertFirst(em, offer);
  const { sourceReference } = offer;
  const lockMode = LockMode.PESSIMISTIC_WRITE;
  const nettingSet = await em.findOne(NettingSet, uid ? { uid } : { sourceReference, supersededAt: null }, {
    lockMode,
  });
  if (!nettingSet) return { outcome: 'name_in_use' };
  if (uid) return { outcome: 'recorded', nettingSet };
  const verdict = compareEvidence(
    { sourceHash: nettingSet.sourceHash, content: nettingSet.terms },
    { sourceHash: offer.sourceHash, content: offer.terms },
  );
  if (verdict.same) {
    nettingSet.timesSeen += 1;
    nettingSet.lastSeenAt = offer.now;
    return { outcome: 'seen_again', nettingSet };
  }
  const { kind, differing } = verdict;
  const { uid: conflict, isNew } = await keepConflict(em, {
    ...offer,
    content: offer.terms,
    subject: { type: 'netting_set', uid: nettingSet.uid },
    kind,
    differing,
  });
  if (isNew) nettingSet.conflictsOpen += 1;
  return { outcome: 'conflict', nettingSet, conflict: { uid: conflict, kind, differing } };
}

async function insertFirst(em: Em, offer: NettingSetOffer): Promise<string | undefined> {
  const { workspace, environment } = tenantOf(em);
  const { terms, sourceReference, sourceHash, hashGrade, application, now } = offer;
  const { rows } = await sql<{ uid: string }>`
    insert into netting_set (uid, workspace_uid, environment, name, counterparty_id, terms, terms_hash, source_reference,
      source_hash, hash_grade, last_seen_at, created_by_uid, created_at)
    values (${newUid(prefixes.nettingSet)}, ${workspace}, ${environment}, ${terms.name}, ${terms.counterparty_id},
      ${JSON.stringify(terms)}::jsonb, ${termsHash(terms)}, ${sourceReference}, ${sourceHash}, ${hashGrade}, ${now},
      ${application}, ${now})
    on conflict do nothing returning uid
  `.execute(em.getKysely());
  return rows[0]?.uid;
}
