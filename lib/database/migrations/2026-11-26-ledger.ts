import { Migration } from '@mikro-orm/migrations';
import { OF_TENANT, tenantPolicy, workspacePolicy } from './tenant-policy.ts';

/** Transactions and sealed balances, companies with their metrics, and numeric datasets with their approval. */
export class Ledger extends Migration {
  override up(): void {
    this.#ledger();
    this.#metrics();
    this.#numericDatasets();
  }

  #ledger(): void {
    this.addSql(`
      create table ledger_account (
        uid text collate "C" primary key,
        workspace_uid text not null references workspace,
        environment text not null check (environment in ('sandbox', 'production')),
        key text not null collate "C",
        name text,
        currency text not null,
        created_at timestamptz not null,
        unique (workspace_uid, environment, key),
        unique (uid, workspace_uid, environment, currency)
      );
      create table ledger_import (
        uid text collate "C" primary key,
        workspace_uid text not null references workspace,
        environment text not null check (environment in ('sandbox', 'production')),
        source_system text not null,
        file_name text not null,
        content_hash text not null,
        rows_read integer not null,
        rows_inserted integer not null,
        rows_posted integer not null,
        rows_unchanged integer not null,
        imported_by_uid text not null references person,
        imported_at timestamptz not null
      );
      -- The account refers to the workspace. What else a row refers to is written with it, and no role may delete it:
      -- checking it row by row would be most of the time of an import.
      create table ledger_transaction (
        uid text collate "C" primary key,
        workspace_uid text not null,
        environment text not null,
        account_uid text not null collate "C",
        import_uid text not null collate "C",
        booked_at timestamptz not null,
        value_date date not null,
        direction text not null check (direction in ('credit', 'debit')),
        currency text not null,
        amount_minor bigint not null check (amount_minor between 1 and 9007199254740991),
        amount_scale smallint not null check (amount_scale between 0 and 9),
        counterparty_id integer references counterparty,
        description text not null check (length(description) between 1 and 300),
        category text,
        status text not null check (status in ('pending', 'posted')),
        reverses_uid text collate "C" unique references ledger_transaction,
        source_system text not null,
        source_reference text not null collate "C",
        source_hash text not null,
        recorded_at timestamptz not null,
        unique (account_uid, source_system, source_reference),
        -- An account is of one tenant and of one currency.
        foreign key (account_uid, workspace_uid, environment, currency)
          references ledger_account (uid, workspace_uid, environment, currency),
        check (reverses_uid <> uid)
      );
      create index on ledger_transaction (workspace_uid, environment, uid desc);
      create index on ledger_transaction (account_uid, booked_at);
      -- That a pending transaction was posted. The transaction itself stays as it was recorded.
      create table ledger_posting (
        transaction_uid text collate "C" primary key references ledger_transaction,
        workspace_uid text not null references workspace,
        environment text not null check (environment in ('sandbox', 'production')),
        import_uid text not null collate "C" references ledger_import,
        booked_at timestamptz not null,
        value_date date not null,
        source_hash text not null,
        recorded_at timestamptz not null
      );
      create table ledger_snapshot (
        uid text collate "C" primary key,
        workspace_uid text not null references workspace,
        environment text not null check (environment in ('sandbox', 'production')),
        as_of date not null,
        known_at timestamptz not null,
        content json not null,
        sealed_hash text not null,
        previous_uid text collate "C" references ledger_snapshot,
        late_transactions integer not null check (late_transactions >= 0),
        unique (workspace_uid, environment, as_of, sealed_hash)
      );
      create index on ledger_snapshot (workspace_uid, environment, uid desc);

      create function check_ledger_reversal() returns trigger language plpgsql as $$
      begin
        if not exists (
          select from ledger_transaction o
          where o.uid = new.reverses_uid and o.account_uid = new.account_uid and o.amount_minor = new.amount_minor
            and o.direction <> new.direction and o.reverses_uid is null
        ) then
          raise check_violation using message = 'a reversal has the account and amount of its original, and the opposite direction';
        end if;
        return null;
      end $$;
      create trigger reversal after insert on ledger_transaction for each row when (new.reverses_uid is not null)
        execute function check_ledger_reversal();
    `);
    for (const table of [
      'ledger_account',
      'ledger_import',
      'ledger_transaction',
      'ledger_posting',
      'ledger_snapshot',
    ]) {
      this.addSql(appendOnly(table));
      this.addSql(tenantPolicy(table, `${OF_TENANT} or (select app_is_operator())${ofWorker(table)}`));
    }
  }

  #metrics(): void {
    this.addSql(`
      create table company (
        id integer generated always as identity primary key,
        workspace_uid text not null references workspace,
        name text not null,
        created_at timestamptz not null,
        unique (workspace_uid, name)
      );
      create table metric_definition (
        workspace_uid text not null references workspace,
        name text not null collate "C",
        unit text not null check (unit in ('money', 'count', 'ratio')),
        kind text not null check (kind in ('flow', 'level')),
        is_signed boolean not null,
        description text not null,
        created_by_uid text not null references person,
        created_at timestamptz not null,
        primary key (workspace_uid, name)
      );
      -- Company is an id, or 'workspace' for what is of no company: texts, as every subject of observations.
      create table company_metric (
        dataset_id integer not null,
        company text not null collate "C",
        metric text not null collate "C",
        frequency text not null check (frequency in ('daily', 'weekly', 'monthly', 'quarterly', 'yearly')),
        observed_on date not null,
        known_at timestamptz not null,
        known_at_basis text not null check (known_at_basis in ('stated', 'assumed', 'imported')),
        revision integer not null,
        withdrawn boolean not null default false,
        value numeric,
        currency text,
        primary key (dataset_id, company, metric, frequency, observed_on, known_at, revision),
        check (withdrawn = (value is null))
      );
    `);
    this.addSql(appendOnly('metric_definition'));
    this.addSql(workspacePolicy('company'));
    this.addSql(workspacePolicy('metric_definition'));
    this.addSql(tenantPolicy('company_metric', ENTITLED));
  }

  #numericDatasets(): void {
    this.addSql(`
      create table numeric_version (
        dataset_id integer not null references dataset,
        revision integer not null,
        content_hash text not null,
        columns json not null,
        row_count integer not null,
        imported_by_uid text references person,
        imported_at timestamptz not null,
        primary key (dataset_id, revision)
      );
      create table numeric_row (
        dataset_id integer not null,
        revision integer not null,
        position integer not null,
        observed_on date,
        entity text collate "C",
        "values" double precision[] not null,
        primary key (dataset_id, revision, position)
      );
      create table numeric_description (
        id integer generated always as identity primary key,
        dataset_id integer not null references dataset,
        owner_uid text references person,
        units jsonb not null,
        described_by_uid text not null references person,
        described_at timestamptz not null
      );
      create index on numeric_description (dataset_id, id desc);
      create table numeric_approval (
        id integer generated always as identity primary key,
        dataset_id integer not null references dataset,
        revision integer not null,
        approved_hash text not null,
        approved_by_uid text not null references person,
        approved_at timestamptz not null
      );
      create index on numeric_approval (dataset_id, id desc);
    `);
    for (const table of ['numeric_version', 'numeric_row', 'numeric_description', 'numeric_approval']) {
      this.addSql(appendOnly(table));
      this.addSql(tenantPolicy(table, ENTITLED));
    }
  }
}

const ENTITLED =
  '(select app_is_operator()) or dataset_id in (select e.dataset_id from dataset_entitlement e)';

/** Where there is a ledger at all the worker has to find out, to take its snapshots. */
function ofWorker(table: string): string {
  return table === 'ledger_account' ? ' or (select app_is_worker())' : '';
}

function appendOnly(table: string): string {
  return `
    create trigger append_only before update or delete or truncate on ${table}
      for each statement execute function audit_refuse_change();
  `;
}
