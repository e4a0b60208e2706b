import { sql } from 'kysely';
import { appendAudit } from '#lib/audit/audit.repository.ts';
import type { Actor } from '#lib/audit/entry.ts';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import { tenantOf, type Em } from '#lib/database/base.ts';
import { FinopsPolicy } from './finops-policy.entity.ts';
import type { FinopsPolicyBody } from './finops-policy.schema.ts';
import { WorkflowVersion } from './workflow-version.entity.ts';

/** The policy of the em's tenant that counts; null where none was ever put. */
export async function currentFinopsPolicy(em: Em): Promise<FinopsPolicy | null> {
  const [newest] = await em.find(FinopsPolicy, {}, { orderBy: { version: 'desc' }, limit: 1 });
  return newest ?? null;
}

/** As `currentFinopsPolicy`; nobody else puts one, or looks for crossings, before the transaction ends. */
export async function lockFinopsPolicy(em: Em): Promise<FinopsPolicy | null> {
  const { workspace, environment } = tenantOf(em);
  const lock = `finops ${workspace} ${environment}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(em.getKysely());
  return currentFinopsPolicy(em);
}

type Change = {
  before: FinopsPolicy | null;
  body: FinopsPolicyBody;
  actor: Actor & { uid: string };
  now: Date;
};

/** Writes the next version of a policy that was locked, or nothing where it says what the one before says. */
export async function putFinopsPolicy(em: Em, { before, body, actor, now }: Change): Promise<FinopsPolicy> {
  const policyHash = canonicalHash(body);
  if (before?.policyHash === policyHash) return before;
  const { workspace, environment } = tenantOf(em);
  const policy = em.create(FinopsPolicy, {
    uid: newUid(prefixes.finopsPolicy),
    workspaceUid: workspace,
    environment,
    version: (before?.version ?? 0) + 1,
    body,
    policyHash,
    updatedAt: now,
    updatedByUid: actor.uid,
  });
  await em.flush();
  await appendAudit(em, {
    at: now,
    op: 'finops.policy_updated',
    actor,
    subject: { type: 'finops_policy', uid: policy.uid, version: policy.version },
    ...(before ? { beforeHash: before.policyHash } : {}),
    afterHash: policyHash,
  });
  return policy;
}

/** Those of the keys that no workflow of the em's tenant has. */
export async function unknownWorkflows(em: Em, keys: readonly string[]): Promise<string[]> {
  const found = await em.find(WorkflowVersion, { key: { $in: [...keys] } }, { fields: ['key'] });
  const known = new Set(found.map(({ key }) => key));
  return keys.filter((key) => !known.has(key));
}
