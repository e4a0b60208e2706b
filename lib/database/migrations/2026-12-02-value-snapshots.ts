import { Migration } from '@mikro-orm/migrations';
import { tenantPolicy } from './tenant-policy.ts';

/** What the financial actions of a workspace have come to, sealed from time to time. */
export class ValueSnapshots extends Migration {
  override up(): void {
    this.addSql(`
      create table value_snapshot (
        uid text primary key,
        workspace_uid text not null references workspace,
        environment text not null check (environment in ('sandbox', 'production')),
        as_of timestamptz not null,
        content json not null,
        snapshot_hash text not null check (snapshot_hash ~ '^[0-9a-f]{64}$')
      );
      create index on value_snapshot (workspace_uid, environment, uid desc);
      create trigger append_only before update or delete or truncate on value_snapshot
        for each statement execute function audit_refuse_change();
    `);
    this.addSql(tenantPolicy('value_snapshot'));
  }
}
