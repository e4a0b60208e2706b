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

/** Keeps evidence that contradicts a record, in the caller's transaction, which holds the record. Offered again it is counted. */
export async function keepConflict(
  em: Em,
  refused: RefusedEvidence,
): Promise<{ uid: string; isNew: boolean }> {
  const same = {
    subjectUid: refused.subject.uid,
    offeredSourceHash: refused.sourceHash,
    offeredPayloadHash: canonicalHash(refused.content),
  };
  const known = await em.findOne(EvidenceConflict, same);
  if (known) {
    known.timesOffered += 1;
    return { uid: known.uid, isNew: false };
  }
  const { workspace, environment } = tenantOf(em);
  const { uid } = em.create(EvidenceConflict, {
    ...same,
    uid: newUid(prefixes.evidenceConflict),
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
  return { uid, isNew: true };
}
