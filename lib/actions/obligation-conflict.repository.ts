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
import { obligationHash } from './obligation.ts';
import { Obligation } from './obligation.entity.ts';
import type { ObligationContent } from './obligation.ts';

export type Resolved = { conflict: EvidenceConflict } & (
  | { ok: true; obligation: Obligation; successor: Obligation | undefined }
  | Extract<ConflictVerdict, { ok: false }>
);

/**
 * Locks the obligation of a conflict, asks the rule, and writes what it says, in the caller's transaction. The last
 * open conflict that is decided ends the dispute; one that supersedes puts the offered source in the record's place.
 * For operators: it looks into all workspaces.
 */
export async function resolveConflict(em: Em, resolution: ConflictResolution): Promise<Resolved> {
  const { conflict: uid, decision, person, reason, now } = resolution;
  const found = await em.findOneOrFail(EvidenceConflict, { uid }, { filters: false });
  const lockMode = LockMode.PESSIMISTIC_WRITE;
  const obligation = await em.findOneOrFail(
    Obligation,
    { uid: found.subjectUid },
    { filters: false, lockMode, refresh: true },
  );
  const conflict = await em.findOneOrFail(EvidenceConflict, { uid }, { filters: false, refresh: true });
  const offerers = await offerersOf(em, [obligation.createdByUid, conflict.offeredByUid]);
  const facts = {
    state: conflict.state,
    isLive: obligation.governanceState === 'disputed',
    open: obligation.conflictsOpen,
    offerers,
  };
  const verdict = decideConflict(facts, decision, person);
  if (!verdict.ok) return { ...verdict, conflict };
  em.assign(conflict, { state: verdict.next, resolvedByUid: person, resolvedAt: now, reason });
  obligation.conflictsOpen -= 1;
  if (decision === 'supersede') {
    obligation.governanceState = 'superseded';
    await em.flush();
    return { ok: true, conflict, obligation, successor: succeed(em, obligation, conflict, now) };
  }
  if (obligation.conflictsOpen === 0 && obligation.governanceState === 'disputed') {
    obligation.governanceState = 'registered';
  }
  return { ok: true, conflict, obligation, successor: undefined };
}

function succeed(em: Em, old: Obligation, conflict: EvidenceConflict, now: Date): Obligation {
  const { sourceSystem: system, sourceReference: reference } = old;
  const hash = conflict.offeredSourceHash;
  const content = conflict.offeredContent as ObligationContent;
  return em.create(Obligation, {
    uid: newUid(prefixes.obligation),
    workspaceUid: old.workspaceUid,
    environment: old.environment,
    version: old.version + 1,
    governanceState: 'registered',
    counterpartyId: content.counterparty_id,
    sourceSystem: system,
    sourceReference: reference,
    sourceHash: hash,
    hashGrade: conflict.offeredHashGrade,
    currency: content.currency,
    content,
    recordHash: obligationHash({ system, reference, hash }, content),
    conflictsOpen: 0,
    timesSeen: conflict.timesOffered,
    lastSeenAt: conflict.offeredAt,
    createdByUid: conflict.offeredByUid,
    createdAt: now,
    supersedesUid: old.uid,
  });
}

export type Withdrawn =
  | { ok: true; obligation: Obligation; from: string }
  | { ok: false; code: 'obligation_unknown' | 'transition_not_allowed' };

/** Withdraws an obligation that is registered or disputed, for ever, in the caller's transaction. For operators. */
export async function withdrawObligation(em: Em, uid: string): Promise<Withdrawn> {
  const lockMode = LockMode.PESSIMISTIC_WRITE;
  const obligation = await em.findOne(Obligation, { uid }, { filters: false, lockMode, refresh: true });
  if (!obligation) return { ok: false, code: 'obligation_unknown' };
  const from = obligation.governanceState;
  if (from !== 'registered' && from !== 'disputed') return { ok: false, code: 'transition_not_allowed' };
  obligation.governanceState = 'withdrawn';
  return { ok: true, obligation, from };
}
