import { Migration } from '@mikro-orm/migrations';
import { tenantPolicy, workspacePolicy } from './tenant-policy.ts';

/** Counterparties, and obligations with the evidence that conflicts about them. */
export class Obligations extends Migration {
  override up(): void {
    this.addSql(`
      create table counterparty (
        id integer generated always as identity primary key,
        workspace_uid text not null references workspace,
        kind text not null check (kind in ('counterparty', 'custodian')),
        key text,
        name text not null,
        state text not null default 'active' check (state in ('active', 'archived')),
        created_at timestamptz not null,
        unique (workspace_uid, kind, name)
      );
      create table obligation (
        uid text primary key,
        workspace_uid text not null references workspace,
        environment text not null check (environment in ('sandbox', 'production')),
        version integer not null default 1,
        governance_state text not null check (governance_state in ('registered', 'disputed', 'superseded', 'withdrawn')),
        counterparty_id integer not null references counterparty,
        source_system text not null,
        source_reference text not null,
        source_hash text not null,
        hash_grade text not null check (hash_grade in ('sha256', 'opaque')),
        currency text not null,
        content jsonb not null,
        record_hash text not null,
        conflicts_open integer not null default 0 check (conflicts_open >= 0),
        times_seen integer not null default 1,
        last_seen_at timestamptz not null,
        created_by_uid text not null references application,
        created_at timestamptz not null,
        supersedes_uid text references obligation
      );
      create unique index obligation_source on obligation (workspace_uid, environment, source_system, source_reference)
        where governance_state <> 'superseded';
      create index on obligation (workspace_uid, environment, uid desc);
      create index on obligation (workspace_uid, environment, source_hash);
      create table evidence_conflict (
        uid text primary key,
        workspace_uid text not null references workspace,
        environment text not null check (environment in ('sandbox', 'production')),
        subject_type text not null check (subject_type in ('obligation', 'netting_set')),
        subject_uid text not null,
        kind text not null
          check (kind in ('content_mismatch', 'hash_mismatch', 'counterparty_mismatch', 'currency_mismatch')),
        offered_source_hash text not null,
        offered_hash_grade text not null check (offered_hash_grade in ('sha256', 'opaque')),
        offered_payload_hash text not null,
        offered_content jsonb not null,
        differing text[] not null,
        state text not null default 'open' check (state in ('open', 'resolved_keep', 'resolved_supersede')),
        times_offered integer not null default 1,
        offered_at timestamptz not null,
        offered_by_uid text not null references application,
        resolved_by_uid text references person,
        resolved_at timestamptz,
        reason text,
        check ((state = 'open') = (resolved_by_uid is null)),
        unique (subject_uid, offered_source_hash, offered_payload_hash)
      );
      create index on evidence_conflict (workspace_uid, environment, uid desc);
    `);
    this.addSql(`
      create function keep_obligation() returns trigger language plpgsql as $$
      declare
        changes text[] := '{governance_state,conflicts_open,times_seen,last_seen_at}';
      begin
        if to_jsonb(new) - changes is distinct from to_jsonb(old) - changes then
          raise exception 'an obligation never changes' using errcode = 'integrity_constraint_violation';
        end if;
        if new.governance_state <> old.governance_state and (old.governance_state, new.governance_state) not in (
          ('registered', 'disputed'), ('disputed', 'registered'), ('disputed', 'superseded'),
          ('registered', 'withdrawn'), ('disputed', 'withdrawn')
        ) then
          raise exception 'an obligation does not go from % to %', old.governance_state, new.governance_state
            using errcode = 'integrity_constraint_violation';
        end if;
        if new.governance_state not in (old.governance_state, 'disputed') and not app_is_operator() then
          raise exception 'only an operator ends a dispute or a record' using errcode = 'insufficient_privilege';
        end if;
        return new;
      end $$;
      create trigger keep before update on obligation for each row execute function keep_obligation();
    `);
    this.addSql(workspacePolicy('counterparty'));
    this.addSql(tenantPolicy('obligation'));
    this.addSql(tenantPolicy('evidence_conflict'));
  }
}
