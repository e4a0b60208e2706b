import { listAudit } from '#lib/audit/audit-entry.query.ts';
import type { AuditEntry } from '#lib/audit/entry.ts';
import type { Tenant } from '#lib/database/base.ts';
import { inTenant } from '#lib/database/orm.ts';
import type { Backend } from './backends.ts';

/** Returns the entries in the audit log of a tenant, oldest first. */
export async function logOf(backend: Pick<Backend, 'orm'>, tenant: Tenant): Promise<AuditEntry[]> {
  const { workspace, environment } = tenant;
  const found = await inTenant(backend.orm('operator'), { workspace, environment }, (em) =>
    listAudit(em, { limit: 1_000 }),
  );
  return found.map(({ entry }) => entry).toReversed();
}

/**
 * Marks the current end of a log and reads the entries after this mark. An entry is returned as `operation`
 * or, if it records a refusal, as `operation code`.
 */
export async function logTail(backend: Pick<Backend, 'orm'>, tenant: Tenant) {
  const seen = (await logOf(backend, tenant)).length;
  return {
    entries: async () => (await logOf(backend, tenant)).slice(seen),
    async ops() {
      const entries = (await logOf(backend, tenant)).slice(seen);
      return entries.map(({ op, outcome }) => (outcome.code === null ? op : `${op} ${outcome.code}`));
    },
  };
}
