import { Migration } from '@mikro-orm/migrations';
import { builtInModel } from './built-in-model.ts';
import { OF_TENANT, tenantPolicy } from './tenant-policy.ts';

/** Workspaces, market data, the model registry and the run pipeline, with row-level security on every table. */
export class Foundation extends Migration {
  override up(): void {
    this.addSql(`
      create function app_workspace() returns text stable parallel safe language sql
        as $$ select nullif(current_setting('app.workspace', true), '') $$;
      create function app_environment() returns text stable parallel safe language sql
        as $$ select nullif(current_setting('app.environment', true), '') $$;
      create function app_is_operator() returns boolean stable parallel safe language sql
        as $$ select current_user = current_database() || '_operator' $$;
      create function app_is_worker() returns boolean stable parallel safe language sql
        as $$ select current_user = current_database() || '_worker' $$;
    `);

    this.addSql(`
      create table workspace (
        uid text primary key,
        name text not null,
        service_class text not null check (service_class in ('developer', 'standard', 'enterprise')),
        entitlements text[] not null,
        created_at timestamptz not null
      );
      create table person (
        uid text primary key,
        workspace_uid text not null references workspace,
        name text not null,
        email text not null,
        roles text[] not null,
        created_at timestamptz not null,
        unique (workspace_uid, email)
      );
      create table application (
        uid text primary key,
        workspace_uid text not null references workspace,
        environment text not null check (environment in ('sandbox', 'production')),
        name text not null,
        scopes text[] not null,
        status text not null check (status in ('active', 'suspended', 'revoked')),
        owner_uid text not null references person,
        created_at timestamptz not null,
        unique (workspace_uid, environment, name)
      );
      create table credential (
        uid text primary key,
        workspace_uid text not null references workspace,
        environment text not null check (environment in ('sandbox', 'production')),
        application_uid text not null references application,
        key_id text not null unique,
        secret_hash text not null,
        issued_by_uid text not null references person,
        created_at timestamptz not null,
        revoked_at timestamptz
      );
      create index on credential (application_uid);
    `);

    this.addSql(`
      create table dataset (
        id integer generated always as identity primary key,
        uid text not null unique,
        workspace_uid text references workspace,
        kind text not null check (kind in ('instruments', 'prices', 'taxonomy')),
        name text not null,
        revision integer not null default 0,
        last_observed_on date,
        created_at timestamptz not null,
        unique nulls not distinct (workspace_uid, kind, name)
      );
      create table dataset_entitlement (
        dataset_id integer not null references dataset,
        workspace_uid text not null references workspace,
        granted_at timestamptz not null,
        primary key (workspace_uid, dataset_id)
      );
      create table dataset_import (
        uid text primary key,
        dataset_id integer not null references dataset,
        revision integer not null,
        fingerprint text not null,
        file_name text not null,
        rows_read integer not null,
        rows_inserted integer not null,
        rows_corrected integer not null,
        rows_unchanged integer not null,
        rows_rejected integer not null,
        imported_by_uid text references person,
        imported_at timestamptz not null,
        unique (dataset_id, revision),
        unique (dataset_id, fingerprint)
      );
      create table instrument (
        dataset_id integer not null references dataset,
        symbol text not null collate "C",
        uid text not null unique,
        primary key (dataset_id, symbol)
      );
      create table instrument_version (
        dataset_id integer not null,
        symbol text not null collate "C",
        observed_on date not null,
        known_at timestamptz not null,
        known_at_basis text not null check (known_at_basis in ('stated', 'assumed', 'imported')),
        revision integer not null,
        name text,
        sector text,
        sub_industry text,
        primary key (dataset_id, symbol, observed_on, known_at, revision),
        foreign key (dataset_id, symbol) references instrument
      );
      -- No reference to dataset: checking it row by row is 40 % of an import, and no role may delete a dataset.
      create table price (
        dataset_id integer not null,
        symbol text not null collate "C",
        frequency text not null check (frequency in ('daily', 'monthly')),
        observed_on date not null,
        known_at timestamptz not null,
        known_at_basis text not null check (known_at_basis in ('stated', 'assumed', 'imported')),
        revision integer not null,
        open numeric check (open > 0),
        high numeric check (high > 0),
        low numeric check (low > 0),
        close numeric not null check (close > 0),
        adj_close numeric check (adj_close > 0),
        volume numeric check (volume >= 0),
        primary key (dataset_id, symbol, frequency, observed_on, known_at, revision)
      );
      create table taxonomy_version (
        id integer generated always as identity primary key,
        dataset_id integer not null references dataset,
        version text not null collate "C",
        status text not null check (status in ('draft', 'published')),
        published_at timestamptz,
        revision integer not null,
        check ((status = 'published') = (published_at is not null)),
        unique (dataset_id, version, status)
      );
      create table taxonomy_exposure (
        taxonomy_version_id integer not null references taxonomy_version,
        theme text not null collate "C",
        symbol text not null collate "C",
        exposure_micro integer not null check (exposure_micro between 0 and 1000000),
        primary key (taxonomy_version_id, theme, symbol)
      );
    `);

    this.addSql(`
      create table model_version (
        key text not null,
        version text not null,
        state text not null check (state in ('draft', 'trained', 'evaluated', 'approved', 'retired')),
        description text not null,
        authored_by text not null,
        approved_by text,
        approved_at timestamptz,
        created_at timestamptz not null,
        primary key (key, version),
        check (state <> 'approved' or (approved_by is not null and approved_at is not null)),
        check (approved_by is distinct from authored_by)
      );
      create table model_alias (
        id bigint generated always as identity primary key,
        workspace_uid text references workspace,
        key text not null,
        alias text not null,
        version text,
        set_by text not null,
        since timestamptz not null,
        foreign key (key, version) references model_version
      );
      create index on model_alias (key, alias, workspace_uid, id desc);
    `);
    this.addSql(
      builtInModel(
        'svc_theme_factor_ridge_v1',
        '1.0.0',
        'Cross-sectional ridge of monthly returns on theme exposures with a market intercept.',
      ),
    );

    this.addSql(`
      create table run (
        uid text primary key,
        workspace_uid text not null references workspace,
        environment text not null check (environment in ('sandbox', 'production')),
        application_uid text not null references application,
        kind text not null,
        state text not null check (state in ('queued', 'running', 'succeeded', 'failed', 'cancelled')),
        progress real not null default 0 check (progress between 0 and 1),
        attempts integer not null default 0,
        model_key text not null,
        model_version text not null,
        input jsonb not null,
        input_hash text not null,
        dataset_revisions jsonb not null,
        request_id text not null,
        problem jsonb,
        created_at timestamptz not null,
        started_at timestamptz,
        finished_at timestamptz,
        check ((state = 'failed') = (problem is not null)),
        check ((state in ('succeeded', 'failed', 'cancelled')) = (finished_at is not null))
      );
      -- Behind its prefix a uid grows with time.
      create index on run (workspace_uid, environment, right(uid, 26) desc);
      create index on run (workspace_uid, environment, kind, right(uid, 26) desc);
      create table run_result (
        run_uid text primary key references run,
        workspace_uid text not null,
        environment text not null,
        members json not null,
        result_hash text not null,
        seal json not null,
        attachments json not null
      );
      -- Digits hardly compress, and compressing half a megabyte of them takes longer than computing it.
      alter table run_result alter column members set storage external, alter column attachments set storage external;
      create table dispatch (
        run_uid text primary key references run,
        workspace_uid text not null,
        environment text not null,
        kind text not null,
        queue text not null,
        created_at timestamptz not null
      );
      create table idempotency_key (
        workspace_uid text not null references workspace,
        environment text not null,
        application_uid text not null references application,
        operation text not null,
        key text not null,
        fingerprint text not null,
        run_uid text not null references run,
        created_at timestamptz not null,
        primary key (workspace_uid, environment, application_uid, operation, key)
      );
      create index on idempotency_key (created_at);
    `);

    const operator = '(select app_is_operator())';
    const workspace = 'workspace_uid = (select app_workspace())';
    const tenant = OF_TENANT;
    const entitled = `dataset_id in (select e.dataset_id from dataset_entitlement e)`;
    const visible: Record<string, string> = {
      workspace: `${operator} or uid = app_workspace()`,
      person: `${operator} or ${workspace}`,
      application: `${operator} or ${tenant}`,
      credential: `${operator} or ${tenant} or key_id = nullif(current_setting('app.key_id', true), '')`,
      dataset: `${operator} or id in (select e.dataset_id from dataset_entitlement e)`,
      dataset_entitlement: `${operator} or ${workspace}`,
      dataset_import: `${operator} or ${entitled}`,
      instrument: `${operator} or ${entitled}`,
      instrument_version: `${operator} or ${entitled}`,
      price: `${operator} or ${entitled}`,
      taxonomy_version: `${operator} or ${entitled}`,
      taxonomy_exposure: `${operator} or taxonomy_version_id in (select v.id from taxonomy_version v)`,
      model_version: 'true',
      model_alias: `${operator} or workspace_uid is null or ${workspace}`,
      run: `${operator} or ${tenant}`,
      run_result: `${operator} or ${tenant}`,
      dispatch: `${operator} or app_is_worker() or ${tenant}`,
      idempotency_key: `app_is_worker() or ${tenant}`,
    };
    for (const [table, condition] of Object.entries(visible)) {
      this.addSql(tenantPolicy(table, condition));
    }

    this.addSql(`
      create function authenticate(presented_key_id text) returns table (
        credential_uid text, secret_hash text, revoked boolean, application_uid text, workspace_uid text,
        environment text, status text, scopes text[], entitlements text[]
      ) language plpgsql as $$
      declare found_credential credential;
      begin
        perform set_config('app.key_id', presented_key_id, true);
        select * into found_credential from credential where key_id = presented_key_id;
        perform set_config('app.key_id', '', true);
        if found_credential.uid is null then return; end if;
        perform set_config('app.workspace', found_credential.workspace_uid, true);
        perform set_config('app.environment', found_credential.environment, true);
        return query
          select found_credential.uid, found_credential.secret_hash, found_credential.revoked_at is not null,
                 a.uid, a.workspace_uid, a.environment, a.status, a.scopes, w.entitlements
          from application a join workspace w on w.uid = a.workspace_uid
          where a.uid = found_credential.application_uid;
      end $$;
    `);
  }
}
