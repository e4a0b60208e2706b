import { LockMode } from '@mikro-orm/core';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { tenantOf, type Em } from '#lib/database/base.ts';
import type { EvidenceConflict } from '#lib/governance/evidence-conflict.entity.ts';
import { resolveConflict } from '#lib/governance/resolve-conflict.command.ts';
import { proposersOf } from '#lib/access/proposers.query.ts';
import { NettingSet } from './netting-set.entity.ts';
import { lockNettingSets } from './netting-set.query.ts';
import { termsHash, type NettingSetTerms } from './netting-set.ts';

/**
 * Resolves a conflict about the terms of a netting set. Either the conflicting terms are discarded, or a new record
 * under the same reference replaces the existing record, which stays unchanged.
 */
export const resolveTermsConflict = resolveConflict<NettingSet>({
  subject: 'netting_set',
  async lock(em, uid) {
    await lockNettingSets(em, tenantOf(em));
    const lockMode = LockMode.PESSIMISTIC_WRITE;
    return em.findOneOrFail(NettingSet, { uid }, { lockMode, refresh: true });
  },
  isLive: ({ supersededAt }) => supersededAt === null,
  proposersOf: proposersOf,
  async supersede(em, nettingSet, conflict, now) {
    nettingSet.supersededAt = now;
    await em.flush();
    return succeed(em, nettingSet, conflict, now);
  },
  details: (_nettingSet, successor) => ({ successor_uid: successor?.uid ?? null }),
});

function succeed(em: Em, old: NettingSet, conflict: EvidenceConflict, now: Date): NettingSet {
  const terms = conflict.offeredContent as NettingSetTerms;
  return em.create(NettingSet, {
    uid: newUid(prefixes.nettingSet),
    workspaceUid: old.workspaceUid,
    environment: old.environment,
    version: old.version + 1,
    name: terms.name,
    counterpartyId: terms.counterparty_id,
    terms,
    termsHash: termsHash(terms),
    sourceReference: old.sourceReference,
    sourceHash: conflict.offeredSourceHash,
    hashGrade: conflict.offeredHashGrade,
    conflictsOpen: 0,
    timesSeen: conflict.timesOffered,
    lastSeenAt: conflict.offeredAt,
    createdByUid: conflict.offeredByUid,
    createdAt: now,
    supersedesUid: old.uid,
    supersededAt: null,
  });
}
