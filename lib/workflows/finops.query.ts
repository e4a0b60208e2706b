import { tenantOf, type Em } from '#lib/database/base.ts';
import { FinopsPolicy } from './finops-policy.entity.ts';
import { WorkflowVersion } from './workflow-version.entity.ts';
import { acquireNamedLock } from '#lib/governance/named-lock.query.ts';

/** The policy of the em's tenant that counts; null where none was ever put. */
export async function currentFinopsPolicy(em: Em): Promise<FinopsPolicy | null> {
  const [newest] = await em.find(FinopsPolicy, {}, { orderBy: { version: 'desc' }, limit: 1 });
  return newest ?? null;
}

/** As `currentFinopsPolicy`; nobody else puts one, or looks for crossings, before the transaction ends. */
export async function lockFinopsPolicy(em: Em): Promise<FinopsPolicy | null> {
  const { workspace, environment } = tenantOf(em);
  const lock = `finops ${workspace} ${environment}`;
  await acquireNamedLock(em, lock);
  return currentFinopsPolicy(em);
}

/** Those of the keys that no workflow of the em's tenant has. */
export async function unknownWorkflows(em: Em, keys: readonly string[]): Promise<string[]> {
  const found = await em.find(WorkflowVersion, { key: { $in: [...keys] } }, { fields: ['key'] });
  const known = new Set(found.map(({ key }) => key));
  return keys.filter((key) => !known.has(key));
}
