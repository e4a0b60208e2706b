import { Migration } from '@mikro-orm/migrations';
import { tenantPolicy } from './tenant-policy.ts';

/** Records that two persons bring into force. What is drafted stays as it is; only its state goes on. */
export class GovernedRecords extends Migration {
  override up(): void {
    this.addSql(`
      alter table workspace add column frozen_by_uid text references person deferrable;
      create table governed_record (
        uid text primary key,
        workspace_uid text not null references workspace,
        environment text not null check (environment in ('sandbox', 'production')),
        kind text not null,
        key text not null,
        version integer not null check (version >= 1),
        name text not null,
        state text not null check (state in ('draft', 'submitted', 'active', 'suspended', 'ended', 'withdrawn')),
        body jsonb not null,
        body_hash text not null,
        drafted_by_uid text references person,
        submitted_by_uid text references person,
        submitted_at timestamptz,
        approved_by_uid text references person,
        created_at timestamptz not null,
        active_at timestamptz,
        ended_by_uid text references person,
        ended_at timestamptz,
        end_reason text,
        unique (workspace_uid, environment, kind, key, version),
        -- nobody's are those that a workspace starts with
        check (state in ('draft', 'submitted', 'withdrawn') or drafted_by_uid is null or (
          submitted_by_uid is not null and approved_by_uid is not null
          and approved_by_uid <> submitted_by_uid and approved_by_uid <> drafted_by_uid
        )),
        check ((state in ('ended', 'withdrawn')) = (ended_at is not null))
      );
      create unique index governed_record_in_force on governed_record (workspace_uid, environment, kind, key)
        where state in ('active', 'suspended');
      create index on governed_record (workspace_uid, environment, kind, uid desc);

      create function keep_governed_record() returns trigger language plpgsql as $$
      begin
        if (new.uid, new.workspace_uid, new.environment, new.kind, new.key, new.version, new.name, new.body,
            new.body_hash, new.drafted_by_uid, new.created_at)
          is distinct from (old.uid, old.workspace_uid, old.environment, old.kind, old.key, old.version, old.name,
            old.body, old.body_hash, old.drafted_by_uid, old.created_at)
        then
          raise exception 'a % never changes; a change is a new version', old.kind using errcode = 'integrity_constraint_violation';
        end if;
        if new.state <> old.state and (old.state, new.state) not in (
          ('draft', 'submitted'), ('draft', 'withdrawn'), ('submitted', 'withdrawn'), ('submitted', 'active'),
          ('active', 'suspended'), ('active', 'ended'), ('suspended', 'ended')
        ) and not (old.drafted_by_uid is null and old.state = 'draft' and new.state = 'active')
        then
          raise exception 'a % never goes from % to %', old.kind, old.state, new.state
            using errcode = 'integrity_constraint_violation';
        end if;
        return new;
      end $$;
      create trigger keep before update on governed_record for each row execute function keep_governed_record();
    `);
    this.addSql(tenantPolicy('governed_record'));
  }
}
