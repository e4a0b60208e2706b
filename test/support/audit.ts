import type { AuditEvent } from '#lib/audit/entry.ts';
import type { Orm, Tenant } from '#lib/database/base.ts';
import { openOrm } from '#lib/database/orm.ts';
import { roleUrl, roles, type Role } from '#lib/database/roles.ts';
import { buildTenancy } from './build.ts';
import { freshDatabase } from './backends.ts';

/** A database for tests of the audit log, in which only the test places entries. */
export type AuditDatabase = {
  ownerUrl: string;
  orm(role: Role): Orm;
  /** Creates a tenant with an application. */
  tenant(): Promise<Tenant & { application: string }>;
  close(): Promise<void>;
};

export async function auditDatabase(name: string): Promise<AuditDatabase> {
  const ownerUrl = await freshDatabase(name);
  const orms = new Map(roles.map((role) => [role, openOrm(roleUrl(ownerUrl, role), 8)]));
  const orm = (role: Role) => orms.get(role)!;
  return {
    ownerUrl,
    orm,
    async tenant() {
      const { workspace, environment, application } = await buildTenancy({ orm });
      return { workspace, environment, application };
    },
    async close() {
      for (const each of orms.values()) await each.close();
    },
  };
}

/** Creates an event that is identified by its number. */
export function event(number: number): AuditEvent {
  return {
    at: new Date(1_800_000_000_000 + number),
    op: 'test.happened',
    actor: { kind: 'system' },
    subject: { type: 'test', uid: `test_${number}` },
  };
}
