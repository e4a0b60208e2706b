import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import { tenantOf, type Em } from '#lib/database/base.ts';
import type { ConflictKind, HashGrade } from './evidence.ts';
import { EvidenceConflict } from './evidence-conflict.entity.ts';
import type { EvidenceSubject } from './evidence-conflict.ts';

export type RefusedEvidence = {
  subject: { type: EvidenceSubject; uid: string };
  sourceHash: string;
  hashGrade: HashGrade;
  content: Record<string, unknown>;
  kind: ConflictKind;
  differing: string[];
  application: string;
  now: Date;
};

/**
 * The conflict in which refused evidence is stored: its uid, and the stored conflict if the same evidence was
 * already refused earlier.
 */
export type ConflictSlot = { uid: string; known: EvidenceConflict | null };

/** Returns the conflict in which this evidence is already stored, or the uid of a new conflict. */
export async function conflictSlot(
  em: Em,
  refused: Pick<RefusedEvidence, 'subject' | 'sourceHash' | 'content'>,
): Promise<ConflictSlot> {
  const known = await em.findOne(EvidenceConflict, identityOf(refused));
  return { uid: known?.uid ?? newUid(prefixes.evidenceConflict), known };
}

/**
 * Stores evidence that contradicts a record, in the caller's transaction, which must have locked the record. Repeated
 * evidence only increases a count. Returns whether the conflict is new.
 */
export function keepConflict(em: Em, { uid, known }: ConflictSlot, refused: RefusedEvidence): boolean {
  if (known) {
    known.timesOffered += 1;
    return false;
  }
  const { workspace, environment } = tenantOf(em);
  em.create(EvidenceConflict, {
    ...identityOf(refused),
    uid,
    workspaceUid: workspace,
    environment,
    subjectType: refused.subject.type,
    kind: refused.kind,
    offeredHashGrade: refused.hashGrade,
    offeredContent: refused.content,
    differing: refused.differing,
    state: 'open',
    timesOffered: 1,
    offeredAt: refused.now,
    offeredByUid: refused.application,
  });
  return true;
}

function identityOf({
  subject,
  sourceHash,
  content,
}: Pick<RefusedEvidence, 'subject' | 'sourceHash' | 'content'>) {
  return {
    subjectUid: subject.uid,
    offeredSourceHash: sourceHash,
    offeredPayloadHash: canonicalHash(content),
  };
}
