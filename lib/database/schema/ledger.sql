-- Accounts, transactions and sealed balances. Every table is append-only.

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
alter table ledger_account enable row level security, force row level security;
-- Workers take snapshots, so they have to find all workspaces with a ledger.
create policy visible on ledger_account
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator())
    or (select app_is_worker()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator())
    or (select app_is_worker()));
create trigger append_only before update or delete or truncate on ledger_account
  for each statement execute function audit_refuse_change();

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
alter table ledger_import enable row level security, force row level security;
create policy visible on ledger_import
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()));
create trigger append_only before update or delete or truncate on ledger_import
  for each statement execute function audit_refuse_change();

-- The account refers to the workspace. There is no foreign key to the import: it is written together with the row,
-- no role may delete it, and the check would take most of the time of an import.
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
  -- An account belongs to one tenant and has one currency.
  foreign key (account_uid, workspace_uid, environment, currency)
    references ledger_account (uid, workspace_uid, environment, currency),
  check (reverses_uid <> uid)
);
create index on ledger_transaction (workspace_uid, environment, uid desc);
create index on ledger_transaction (account_uid, booked_at);
alter table ledger_transaction enable row level security, force row level security;
create policy visible on ledger_transaction
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()));
create trigger reversal after insert on ledger_transaction for each row when (new.reverses_uid is not null)
  execute function check_ledger_reversal();
create trigger append_only before update or delete or truncate on ledger_transaction
  for each statement execute function audit_refuse_change();

-- The posting of a pending transaction. The transaction itself stays as it was recorded.
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
alter table ledger_posting enable row level security, force row level security;
create policy visible on ledger_posting
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()));
create trigger append_only before update or delete or truncate on ledger_posting
  for each statement execute function audit_refuse_change();

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
alter table ledger_snapshot enable row level security, force row level security;
create policy visible on ledger_snapshot
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()));
create trigger append_only before update or delete or truncate on ledger_snapshot
  for each statement execute function audit_refuse_change();
