import { Migration } from '@mikro-orm/migrations';
import { OF_TENANT, tenantPolicy } from './tenant-policy.ts';

const tenant = `
  workspace_uid text not null references workspace,
  environment text not null check (environment in ('sandbox', 'production'))`;
const source = `
  source_system text not null,
  source_reference text not null,
  source_hash text not null,
  hash_grade text not null check (hash_grade in ('sha256', 'opaque')),
  content jsonb not null,
  content_hash text not null,
  times_seen integer not null default 1,
  last_seen_at timestamptz not null`;

/** Order batches, the evidence of their execution and settlement, and what is wrong with it. */
export class InvestmentExecution extends Migration {
  override up(): void {
    this.addSql(`
      create table legacy_batch (
        uid text primary key, ${tenant},
        source_system text not null,
        legacy_reference text not null,
        portfolio_uid text not null,
        status text not null,
        order_count integer not null check (order_count >= 0),
        created_at timestamptz not null,
        imported_by_uid text not null references person,
        imported_at timestamptz not null,
        unique (workspace_uid, environment, source_system, legacy_reference)
      );
      create index on legacy_batch (workspace_uid, environment, uid desc);
      create table order_batch (
        uid text primary key, ${tenant},
        version integer not null default 1,
        batch_reference text not null,
        portfolio_uid text not null,
        legacy_uid text unique references legacy_batch,
        state text not null check (state in ('drafted', 'controls_failed', 'controls_passed', 'approved', 'cancelled',
          'released', 'executing', 'confirmed', 'partially_settled', 'settled', 'exception', 'closed')),
        envelope_uid text not null unique,
        envelope_hash text not null,
        material_hash_root text not null,
        order_count integer not null check (order_count >= 1),
        controls jsonb,
        imported_by_uid text not null references person,
        created_at timestamptz not null,
        approved_by_uid text references person,
        approved_at timestamptz,
        approved_root text,
        approved_authority_uid text references governed_record,
        released_by_uid text references person,
        released_at timestamptz,
        released_authority_uid text references governed_record,
        /* The tolerance that the batch is matched with, as it was in force at the release. */
        tolerance jsonb,
        cancelled_by_uid text references person,
        cancelled_at timestamptz,
        cancel_reason text,
        progress jsonb not null,
        closed_at timestamptz,
        unique (workspace_uid, environment, batch_reference),
        check (approved_by_uid is null or approved_by_uid <> imported_by_uid),
        check (released_by_uid is null or released_by_uid <> imported_by_uid),
        check ((approved_at is null) = (approved_authority_uid is null)),
        check ((released_at is null) = (released_authority_uid is null)),
        check ((state = 'cancelled') = (cancelled_at is not null)),
        check ((released_at is not null) =
          (state in ('released', 'executing', 'confirmed', 'partially_settled', 'settled', 'exception', 'closed')))
      );
      create index on order_batch (workspace_uid, environment, uid desc);
      create index on order_batch (state) where state not in ('cancelled', 'closed');
      create table batch_order (
        uid text primary key, ${tenant},
        batch_uid text not null references order_batch,
        order_hash text not null check (order_hash ~ '^sha256:[0-9a-f]{64}$'),
        instrument jsonb not null,
        side text not null check (side in ('buy', 'sell')),
        quantity text not null check (quantity ~ '^[0-9]{1,15}([.][0-9]{1,8})?$'),
        order_type text not null check (order_type in ('market', 'limit')),
        limit_price text check (limit_price ~ '^[0-9]{1,15}([.][0-9]{1,8})?$'),
        reference_price text,
        currency text not null,
        account_reference text not null,
        time_in_force text not null check (time_in_force in ('day', 'gtc', 'ioc', 'fok')),
        settlement_date date not null,
        state text not null default 'open'
          check (state in ('open', 'partially_settled', 'awaiting_confirmation', 'settled', 'break')),
        unique (batch_uid, order_hash)
      );
      create index on batch_order (workspace_uid, environment, uid desc);
      create table trade_confirmation (
        uid text primary key, ${tenant},
        batch_uid text not null references order_batch,
        /* What contradicts a confirmation under the same reference is refused, and kept. */
        is_refused boolean not null default false,
        executing_broker text not null, ${source},
        confirmed_at timestamptz not null,
        recorded_by_uid text not null references person,
        recorded_at timestamptz not null
      );
      create unique index trade_confirmation_source
        on trade_confirmation (workspace_uid, environment, source_system, source_reference) where not is_refused;
      create index on trade_confirmation (batch_uid);
      create table custody_observation (
        uid text primary key, ${tenant},
        batch_uid text not null references order_batch,
        observation_reference text not null,
        custodian text not null, ${source},
        is_early boolean not null,
        reconciliation jsonb not null,
        recorded_by_uid text not null references application,
        recorded_at timestamptz not null,
        unique (workspace_uid, environment, custodian, observation_reference)
      );
      create index on custody_observation (batch_uid);
      create index on custody_observation (workspace_uid, environment, uid desc);
      create table execution_exception (
        uid text primary key, ${tenant},
        batch_uid text not null references order_batch,
        key text not null,
        fingerprint text not null,
        kind text not null,
        severity text not null check (severity in ('low', 'medium', 'high')),
        state text not null check (state in ('open', 'acknowledged', 'resolved', 'waived')),
        order_uid text references batch_order,
        observation_uid text references custody_observation,
        line_reference text,
        currency text,
        amount_minor bigint,
        explanation text not null,
        causes jsonb not null,
        opened_at timestamptz not null,
        acknowledged_by_uid text references person,
        acknowledged_at timestamptz,
        /* Evidence, or a person. */
        ended_by text check (ended_by in ('evidence', 'person')),
        ended_by_uid text references person,
        ended_at timestamptz,
        reason text,
        evidence_reference text,
        first_waiver_uid text references person,
        check ((state in ('resolved', 'waived')) = (ended_at is not null)),
        check ((ended_at is null) = (ended_by is null)),
        check ((ended_by is not distinct from 'person') = (ended_by_uid is not null)),
        check (state <> 'waived' or (first_waiver_uid is not null and ended_by_uid is not null
          and first_waiver_uid <> ended_by_uid))
      );
      create unique index execution_exception_live on execution_exception (batch_uid, key)
        where state in ('open', 'acknowledged');
      create index on execution_exception (workspace_uid, environment, uid desc);
      create index on execution_exception (batch_uid);
    `);
    this.addSql(`
      alter table evidence_conflict drop constraint evidence_conflict_subject_type_check;
      alter table evidence_conflict add constraint evidence_conflict_subject_type_check
        check (subject_type in ('obligation', 'netting_set', 'custody_observation')) not valid;
    `);
    this.addSql(`
      create function keep_batch_order() returns trigger language plpgsql as $$
      begin
        if to_jsonb(new) - 'state' is distinct from to_jsonb(old) - 'state' then
          raise exception 'an order never changes; a change is another order'
            using errcode = 'integrity_constraint_violation';
        end if;
        return new;
      end $$;
      create trigger keep before update on batch_order for each row execute function keep_batch_order();

      create function keep_execution_evidence() returns trigger language plpgsql as $$
      begin
        if to_jsonb(new) - '{times_seen,last_seen_at}'::text[]
          is distinct from to_jsonb(old) - '{times_seen,last_seen_at}'::text[]
        then
          raise exception 'evidence never changes' using errcode = 'integrity_constraint_violation';
        end if;
        return new;
      end $$;
      create trigger keep before update on trade_confirmation
        for each row execute function keep_execution_evidence();
      create trigger keep before update on custody_observation
        for each row execute function keep_execution_evidence();

      create function keep_order_batch() returns trigger language plpgsql as $$
      declare
        live text[] := '{released,executing,confirmed,partially_settled,settled,closed}';
        before text[] := '{drafted,controls_failed,controls_passed,approved}';
      begin
        if (new.uid, new.workspace_uid, new.environment, new.batch_reference, new.portfolio_uid, new.envelope_uid,
            new.envelope_hash, new.material_hash_root, new.order_count, new.imported_by_uid, new.created_at)
          is distinct from (old.uid, old.workspace_uid, old.environment, old.batch_reference, old.portfolio_uid,
            old.envelope_uid, old.envelope_hash, old.material_hash_root, old.order_count, old.imported_by_uid,
            old.created_at)
        then
          raise exception 'what a batch consists of never changes' using errcode = 'integrity_constraint_violation';
        end if;
        if old.released_at is not null and (new.controls, new.approved_by_uid, new.approved_at, new.approved_root,
            new.approved_authority_uid, new.released_by_uid, new.released_at, new.released_authority_uid, new.tolerance)
          is distinct from (old.controls, old.approved_by_uid, old.approved_at, old.approved_root,
            old.approved_authority_uid, old.released_by_uid, old.released_at, old.released_authority_uid, old.tolerance)
        then
          raise exception 'what a batch was released on never changes'
            using errcode = 'integrity_constraint_violation';
        end if;
        if new.state <> old.state and not (
          (old.state = any(before) and new.state in ('controls_passed', 'controls_failed', 'cancelled'))
          or (old.state = 'controls_passed' and new.state = 'approved')
          or (old.state = 'approved' and new.state = 'released')
          or (old.state = any(live) and new.state = 'exception')
          or (old.state = 'exception' and new.state = any(live))
          or array_position(live, old.state) < array_position(live, new.state)
        ) then
          raise exception 'a batch never goes from % to %', old.state, new.state
            using errcode = 'integrity_constraint_violation';
        end if;
        if new.state = 'released' and old.state = 'approved' and (
          new.approved_root is distinct from new.material_hash_root
          or new.controls ->> 'verdict' is distinct from 'passed'
          or new.controls ->> 'root' is distinct from new.material_hash_root
          or (new.controls ->> 'expires_at')::timestamptz <= new.released_at
        ) then
          raise exception 'a batch is released on controls that passed and on an approval of its orders alone'
            using errcode = 'integrity_constraint_violation';
        end if;
        if new.state = 'closed' and (
          not exists (select from trade_confirmation where batch_uid = new.uid and not is_refused)
          or not exists (select from custody_observation where batch_uid = new.uid and not is_early)
          or exists (select from batch_order where batch_uid = new.uid and state <> 'settled')
          or exists (select from execution_exception
            where batch_uid = new.uid and state in ('open', 'acknowledged') and severity <> 'low')
        ) then
          raise exception 'a batch is closed by confirmation and custody alone, with nothing open'
            using errcode = 'integrity_constraint_violation';
        end if;
        return new;
      end $$;
      create trigger keep before update on order_batch for each row execute function keep_order_batch();
      create function start_order_batch() returns trigger language plpgsql as $$
      begin
        if new.state <> 'drafted' then
          raise exception 'a batch begins as a draft' using errcode = 'integrity_constraint_violation';
        end if;
        return new;
      end $$;
      create trigger start before insert on order_batch for each row execute function start_order_batch();

      create function keep_execution_exception() returns trigger language plpgsql as $$
      begin
        if old.state in ('resolved', 'waived') or (new.uid, new.batch_uid, new.key, new.kind, new.opened_at)
          is distinct from (old.uid, old.batch_uid, old.key, old.kind, old.opened_at)
        then
          raise exception 'an exception that ended never changes, nor what it is about'
            using errcode = 'integrity_constraint_violation';
        end if;
        if new.state = 'open' and old.state <> 'open' then
          raise exception 'what is acknowledged stays so' using errcode = 'integrity_constraint_violation';
        end if;
        -- who wanted to waive it as it was has not seen how it is now
        if new.fingerprint <> old.fingerprint then
          new.first_waiver_uid := null;
        end if;
        return new;
      end $$;
      create trigger keep before update on execution_exception
        for each row execute function keep_execution_exception();
    `);
    for (const table of [
      'legacy_batch',
      'batch_order',
      'trade_confirmation',
      'custody_observation',
      'execution_exception',
    ]) {
      this.addSql(tenantPolicy(table));
    }
    // A worker looks for batches whose settlement is overdue, in all workspaces.
    this.addSql(tenantPolicy('order_batch', `${OF_TENANT} or (select app_is_operator() or app_is_worker())`));
  }
}
