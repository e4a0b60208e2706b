import { LockMode } from '@mikro-orm/core';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import type { Em } from '#lib/database/base.ts';
import { EvidenceConflict } from '#lib/governance/evidence-conflict.entity.ts';
import {
  decideConflict,
  type ConflictResolution,
  type ConflictVerdict,
} from '#lib/governance/evidence-conflict.ts';
import { offerersOf } from '#lib/workspace/offerers.repository.ts';
import { NettingSet } from './netting-set.entity.ts';
import { termsHash, type NettingSetTerms } from './netting-set.ts';

export type TermsResolved = { conflict: EvidenceConflict } & (
  | { ok: true; nettingSet: NettingSet; successor: NettingSet | undefined }
  | Extract<ConflictVerdict, { ok: false }>
);

/**
 * Decides about terms that contradict a netting set, in the caller's transaction: they are left aside, or a new record
 * under the same reference takes the place of the old, which stays as it was.
 * For operators: it looks into all workspaces.
 */
export async function resolveTerms(em: Em, given: ConflictResolution): Promise<TermsResolved> {
  const { conflict: uid, decision, person, reason, now } = given;
  const found = await em.findOneOrFail(EvidenceConflict, { uid }, { filters: false });
  const nettingSet = await em.findOneOrFail(
    NettingSet,
    { uid: found.subjectUid },
    { filters: false, lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true },
  );
  const conflict = await em.findOneOrFail(EvidenceConflict, { uid }, { filters: false, refresh: true });
  const facts = {
    state: conflict.state,
    isLive: nettingSet.supersededAt === null,
    open: nettingSet.conflictsOpen,
    offerers: await offerersOf(em, [nettingSet.createdByUid, conflict.offeredByUid]),
  };
  const verdict = decideConflict(facts, decision, person);
  if (!verdict.ok) return { ...verdict, conflict };
  em.assign(conflict, { state: verdict.next, resolvedByUid: person, resolvedAt: now, reason });
  nettingSet.conflictsOpen -= 1;
  if (decision === 'keep') return { ok: true, conflict, nettingSet, successor: undefined };
  nettingSet.supersededAt = now;
  await em.flush();
  return { ok: true, conflict, nettingSet, successor: succeed(em, nettingSet, conflict, now) };
}

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
