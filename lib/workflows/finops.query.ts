import { tenantOf, type Em } from '#lib/database/base.ts';
import { FinopsPolicy } from './finops-policy.entity.ts';
import { WorkflowVersion } from './workflow-version.entity.ts';
import { acquireNamedLock } from '#lib/governance/named-lock.query.ts';

/** Returns the current policy of the current tenant; null if the tenant has no policy. */
export async function currentFinopsPolicy(em: Em): Promise<FinopsPolicy | null> {
  const [newest] = await em.find(FinopsPolicy, {}, { orderBy: { version: 'desc' }, limit: 1 });
  return newest ?? null;
}

/**
 * Returns the policy like `currentFinopsPolicy`, and locks the policy and its threshold crossings until the transaction
 * ends.
 */
export async function lockFinopsPolicy(em: Em): Promise<FinopsPolicy | null> {
  const { workspace, environment } = tenantOf(em);
  const lock = `finops ${workspace} ${environment}`;
  await acquireNamedLock(em, lock);
  return currentFinopsPolicy(em);
}

/** Returns the keys of a list that belong to no workflow of the current tenant. */
export async function unknownWorkflows(em: Em, keys: readonly string[]): Promise<string[]> {
  const found = await em.find(WorkflowVersion, { key: { $in: [...keys] } }, { fields: ['key'] });
  const known = new Set(found.map(({ key }) => key));
  return keys.filter((key) => !known.has(key));
}
