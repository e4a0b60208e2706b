import { Migration } from '@mikro-orm/migrations';
import { tenantPolicy } from './tenant-policy.ts';

/** What the policies decided, and the policies that did, by hash: enough to decide it again. */
export class PolicyDecisions extends Migration {
  override up(): void {
    this.addSql(`
      create table policy_set (
        workspace_uid text not null references workspace,
        environment text not null check (environment in ('sandbox', 'production')),
        hash text not null check (hash ~ '^[0-9a-f]{64}$'),
        policies jsonb not null,
        created_at timestamptz not null,
        primary key (workspace_uid, environment, hash)
      );
      create table policy_decision (
        uid text primary key,
        workspace_uid text not null references workspace,
        environment text not null check (environment in ('sandbox', 'production')),
        at timestamptz not null,
        subject_type text not null,
        subject_uid text not null,
        effect text not null check (effect in ('deny', 'require_approval', 'allow')),
        policy_set_hash text not null,
        input jsonb not null,
        input_hash text not null,
        explanation jsonb not null check (explanation ->> 'effect' = effect),
        shadow_set_hash text,
        shadow jsonb,
        check ((shadow is null) = (shadow_set_hash is null)),
        foreign key (workspace_uid, environment, policy_set_hash) references policy_set,
        foreign key (workspace_uid, environment, shadow_set_hash) references policy_set
      );
      create index on policy_decision (workspace_uid, environment, uid desc);
      create index on policy_decision (workspace_uid, environment, subject_uid, uid desc);
    `);
    for (const table of ['policy_set', 'policy_decision']) {
      this.addSql(`
        create trigger append_only before update or delete or truncate on ${table}
          for each statement execute function audit_refuse_change();
      `);
      this.addSql(tenantPolicy(table));
    }
  }
}
