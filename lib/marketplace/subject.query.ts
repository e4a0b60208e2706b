import { sql } from 'kysely';
import { canonicalHash } from '#lib/core/seal.ts';
import { tenantOf, type Em } from '#lib/database/base.ts';
import { answerUse } from '#lib/data/rights/ask-rights.query.ts';
import { findRecord } from '#lib/governance/governed/governed-record.query.ts';
import { testPolicy } from '#lib/governance/policy/policy-kind.ts';
import { EVALUATIONS } from '#lib/models/registry/lqm.ts';
import { findLqms } from '#lib/models/registry/lqm.query.ts';
import { libraryWorkflow } from './library-workflow.ts';
import type { Evidence, ListingKind, Subject } from './listing.ts';

type Item = { kind: ListingKind; subject: string };

/** Returns the current digest of an item of the current tenant, or the reason why the item cannot be listed. */
export function currentSubject(em: Em, { kind, subject }: Item): Promise<Subject> {
  return readers[kind](em, subject);
}

/**
 * Returns the digest of an item that is offered to other workspaces. A dataset may be offered only if its entitlements
 * permit redistribution.
 */
export async function offeredSubject(em: Em, item: Item, now: Date): Promise<Subject> {
  const found = await currentSubject(em, item);
  if (item.kind !== 'dataset' || found.fault !== undefined) return found;
  const { denied } = await answerUse(em, { action: 'redistribute', rows: 'all', now });
  return denied.some(({ uid }) => uid === item.subject) ? { fault: 'redistribution_denied' } : found;
}

const readers: Record<ListingKind, (em: Em, subject: string) => Promise<Subject>> = {
  async workflow(_em, key) {
    const definition = libraryWorkflow(key);
    return definition === undefined ? { fault: 'subject_unknown' } : { digest: canonicalHash(definition) };
  },
  async dataset(em, uid) {
    const { rows } = await sql<{ hash: string | null; licence: string | null }>`
      select content_hash as hash, licence from dataset
      where uid = ${uid} and workspace_uid = ${tenantOf(em).workspace}
    `.execute(em.getKysely());
    const [found] = rows;
    if (!found) return { fault: 'subject_unknown' };
    return found.hash === null || found.licence === null
      ? { fault: 'digest_unpublished' }
      : { digest: found.hash };
  },
  async model(em, uid) {
    const [found] = await findLqms(em, { versionUid: uid, limit: 1 });
    if (!found) return { fault: 'subject_unknown' };
    const { state, key, version, contentHash, checkpointHash, evaluationUid } = found;
    if (state !== 'approved') return { fault: 'digest_unpublished' };
    return { digest: canonicalHash({ key, version, contentHash, checkpointHash, evaluationUid }) };
  },
  connector: (em, uid) => recordDigest(em, 'connector', uid),
  async policy_template(em, uid) {
    const found = await recordDigest(em, 'policy', uid);
    if (found.fault !== undefined) return found;
    const tested = testPolicy((await findRecord(em, { kind: 'policy' }, uid))!);
    return tested.ok && tested.outcomes.every(({ ok }) => ok) ? found : { fault: 'case_failed' };
  },
};

/**
 * Returns the hash of a record of the current tenant if two persons have activated the record, otherwise the reason why
 * the record cannot be listed.
 */
async function recordDigest(em: Em, kind: string, uid: string): Promise<Subject> {
  const { workspace, environment } = tenantOf(em);
  const record = await findRecord(em, { kind }, uid);
  if (record?.workspaceUid !== workspace || record.environment !== environment) {
    return { fault: 'subject_unknown' };
  }
  return record.state === 'active' ? { digest: record.bodyHash } : { fault: 'digest_unpublished' };
}

/**
 * Returns the current tenant's sealed record with this hash, which supports an evaluation. The record is an evidence
 * pack or, for a model, a sealed evaluation of the model version. Returns null if there is none.
 */
export async function findEvidence(em: Em, { kind, subject }: Item, hash: string): Promise<Evidence> {
  const { workspace, environment } = tenantOf(em);
  const { rows } = await sql<{ uid: string }>`
    select run_uid as uid from evidence_pack
    where workspace_uid = ${workspace} and environment = ${environment} and pack_hash = ${hash}
    union all
    select r.uid from run r join run_result s on s.run_uid = r.uid
    where r.workspace_uid = ${workspace} and r.environment = ${environment} and r.kind = ${EVALUATIONS}
      and ${kind} = 'model' and r.input ->> 'version_uid' = ${subject} and s.seal ->> 'hash' = ${hash}
    limit 1
  `.execute(em.getKysely());
  return rows[0] ?? null;
}
