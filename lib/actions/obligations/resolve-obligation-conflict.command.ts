import { LockMode } from '@mikro-orm/core';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import type { Em } from '#lib/database/base.ts';
import type { EvidenceConflict } from '#lib/governance/evidence-conflict.entity.ts';
import { resolveConflict } from '#lib/governance/resolve-conflict.command.ts';
import { proposersOf } from '#lib/access/proposers.query.ts';
import { lockSource } from './obligation-source.query.ts';
import { obligationHash, type ObligationContent } from './obligation.ts';
import { Obligation } from './obligation.entity.ts';

/**
 * Resolves a conflict: a stored source that contradicts an obligation. When the last open conflict is
 * decided, the dispute ends. With the decision `supersede`, the submitted source replaces the record.
 */
export const resolveObligationConflict = resolveConflict<Obligation>({
  subject: 'obligation',
  async lock(em, uid) {
    const { sourceSystem, sourceReference } = await em.findOneOrFail(Obligation, { uid });
    await lockSource(em, { sourceSystem, sourceReference });
    const lockMode = LockMode.PESSIMISTIC_WRITE;
    return em.findOneOrFail(Obligation, { uid }, { lockMode, refresh: true });
  },
  isLive: ({ governanceState }) => governanceState === 'disputed',
  proposersOf: proposersOf,
  settle(obligation) {
    if (obligation.governanceState === 'disputed') obligation.governanceState = 'registered';
  },
  async supersede(em, obligation, conflict, now) {
    obligation.governanceState = 'superseded';
    await em.flush();
    return succeed(em, obligation, conflict, now);
  },
  details: ({ governanceState }, successor) => ({
    to: governanceState,
    successor_uid: successor?.uid ?? null,
  }),
});

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
