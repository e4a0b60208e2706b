import { Migration } from '@mikro-orm/migrations';
import { OF_TENANT, tenantPolicy } from './tenant-policy.ts';

/** The audit log of each workspace and environment, its Merkle tree, and an entry for each result that is sealed. */
export class AuditLog extends Migration {
  override up(): void {
    this.addSql(`
      create function audit_leaf_hash(body text) returns text immutable parallel safe language sql
        as $$ select encode(sha256('\\x00'::bytea || convert_to(body, 'UTF8')), 'hex') $$;
      create function audit_instant(body text) returns timestamptz immutable parallel safe language sql
        as $$ select (body::json ->> 'at')::timestamptz $$;
      create function audit_member(body text, place text[]) returns text immutable parallel safe language sql
        as $$ select body::json #>> place $$;
    `);

    // The body is the truth; the other columns are read off it, to be looked for.
    this.addSql(`
      create table audit_entry (
        id bigint generated always as identity primary key,
        workspace_uid text not null references workspace,
        environment text not null check (environment in ('sandbox', 'production')),
        body text not null check (octet_length(body) <= 65536),
        leaf_hash text not null generated always as (audit_leaf_hash(body)) stored,
        at timestamptz not null generated always as (audit_instant(body)) stored,
        op text not null generated always as (audit_member(body, '{op}')) stored,
        status text not null generated always as (audit_member(body, '{outcome,status}')) stored
          check (status in ('done', 'refused')),
        actor_uid text generated always as (audit_member(body, '{actor,uid}')) stored,
        subject_type text not null generated always as (audit_member(body, '{subject,type}')) stored,
        subject_uid text not null generated always as (audit_member(body, '{subject,uid}')) stored,
        request_id text generated always as (audit_member(body, '{request_id}')) stored
      );
      create index on audit_entry (workspace_uid, environment, id desc);
      create index on audit_entry (workspace_uid, environment, subject_uid, id desc);
      -- What the sequencer has not placed yet. A transaction that commits late is found here, whatever its id.
      create table audit_pending (
        entry_id bigint primary key references audit_entry,
        workspace_uid text not null,
        environment text not null
      );
      create index on audit_pending (workspace_uid, environment, entry_id);
      create table audit_leaf (
        workspace_uid text not null,
        environment text not null,
        leaf_index bigint not null check (leaf_index >= 0),
        entry_id bigint not null unique references audit_entry,
        primary key (workspace_uid, environment, leaf_index)
      );
      -- Complete subtrees. Level 0 are the leaves, so a body that was changed differs from what was placed.
      create table audit_node (
        workspace_uid text not null,
        environment text not null,
        level smallint not null,
        node_index bigint not null,
        hash text not null check (hash ~ '^[0-9a-f]{64}$'),
        primary key (workspace_uid, environment, level, node_index)
      );
      create table audit_checkpoint (
        workspace_uid text not null,
        environment text not null,
        tree_size bigint not null check (tree_size > 0),
        root_hash text not null check (root_hash ~ '^[0-9a-f]{64}$'),
        at timestamptz not null,
        primary key (workspace_uid, environment, tree_size)
      );
      create function audit_refuse_change() returns trigger language plpgsql as $$
      begin
        raise insufficient_privilege using message = format('%s is append-only', tg_table_name);
      end $$;
    `);

    for (const table of ['audit_entry', 'audit_leaf', 'audit_node', 'audit_checkpoint']) {
      this.addSql(`
        create trigger append_only before update or delete or truncate on ${table}
          for each statement execute function audit_refuse_change();
      `);
      this.addSql(tenantPolicy(table));
    }
    this.addSql(
      tenantPolicy('audit_pending', `${OF_TENANT} or (select app_is_operator() or app_is_worker())`),
    );

    this.#sealsAreEntries();
  }

  /** In the database, so that the workers of the version before leave an entry as well. */
  #sealsAreEntries(): void {
    this.addSql(`
      create function audit_text(value text) returns text immutable parallel safe language sql
        as $$ select coalesce(to_json(value)::text, 'null') $$;
      -- The RFC 8785 form: members in code-unit order, nothing but simple texts.
      create function audit_seal_body(of_run text, result_hash text, seal json) returns text stable language sql as $$
        select format(
          '{"actor":{"kind":"application","uid":%s},"after_hash":%s,"at":%s,"before_hash":null,"decision_uid":null,'
            '"details":{"kind":%s,"result_hash":%s},"op":"run.sealed","outcome":{"code":null,"status":"done"},'
            '"payload_hash":%s,"request_id":%s,"subject":{"type":"run","uid":%s,"version":null}}',
          audit_text(r.application_uid), audit_text(seal ->> 'hash'),
          audit_text(coalesce(seal ->> 'sealed_at',
            to_char(coalesce(r.finished_at, now()) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))),
          audit_text(r.kind), audit_text(result_hash), audit_text(r.input_hash), audit_text(r.request_id),
          audit_text(r.uid))
        from run r where r.uid = of_run
      $$;
      -- A result that is restored from a backup finds its entry restored before it.
      create function audit_seal() returns trigger language plpgsql as $$
      begin
        if not exists (
          select from audit_entry e where e.workspace_uid = new.workspace_uid and e.environment = new.environment
            and e.subject_uid = new.run_uid and e.op = 'run.sealed'
        ) then
          with written as (
            insert into audit_entry (workspace_uid, environment, body)
            values (new.workspace_uid, new.environment, audit_seal_body(new.run_uid, new.result_hash, new.seal))
            returning id
          )
          insert into audit_pending (entry_id, workspace_uid, environment)
          select id, new.workspace_uid, new.environment from written;
        end if;
        return null;
      end $$;
      create trigger audited after insert on run_result for each row execute function audit_seal();
    `);

    // Row-level security holds for the owner too: what was sealed before is found workspace by workspace.
    this.addSql(`
      do $$
      declare
        tenant record;
        worker text := current_database() || '_worker';
      begin
        for tenant in
          select w.uid, e.environment from workspace w, unnest('{sandbox,production}'::text[]) e (environment)
        loop
          perform set_config('app.workspace', tenant.uid, true), set_config('app.environment', tenant.environment, true);
          with written as (
            insert into audit_entry (workspace_uid, environment, body)
            select r.workspace_uid, r.environment, audit_seal_body(r.run_uid, r.result_hash, r.seal)
            from run_result r join run on run.uid = r.run_uid
            where r.workspace_uid = tenant.uid and r.environment = tenant.environment
            order by run.finished_at, r.run_uid
            returning id
          )
          insert into audit_pending (entry_id, workspace_uid, environment)
          select id, tenant.uid, tenant.environment from written;
        end loop;
        perform set_config('app.workspace', '', true), set_config('app.environment', '', true);
        -- Workers that are running seal on before the privileges are brought up to date.
        if exists (select from pg_roles where rolname = worker) then
          execute format('grant select, insert (workspace_uid, environment, body) on audit_entry to %I', worker);
          execute format('grant insert on audit_pending to %I', worker);
        end if;
      end $$;
    `);
  }
}
