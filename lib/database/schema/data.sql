-- Datasets, and the observations that are imported into them. Nothing is overwritten: a correction is a row with a
-- later revision, a withdrawal a row with `withdrawn`, and `known_at` says since when the value was known.

create table dataset (
  id integer generated always as identity primary key,
  uid text not null unique,
  workspace_uid text references workspace,
  kind text not null,
  name text not null,
  revision integer not null default 0,
  last_observed_on date,
  created_at timestamptz not null,
  description text,
  licence text,
  source text,
  rows_held bigint not null default 0,
  first_observed_on date,
  content_hash text,
  price_basis text check (price_basis in ('quoted', 'split_adjusted')),
  unique nulls not distinct (workspace_uid, kind, name)
);
alter table dataset add constraint dataset_kind_check check (kind in ('instruments', 'prices', 'taxonomy',
  'corporate_actions', 'fundamentals', 'economics', 'metrics', 'numeric')) not valid;

create table dataset_entitlement (
  dataset_id integer not null references dataset,
  workspace_uid text not null references workspace,
  granted_at timestamptz not null,
  primary key (workspace_uid, dataset_id)
);

alter table dataset enable row level security, force row level security;
create policy visible on dataset
  using ((select app_is_operator() or app_is_owner()) or id in (select e.dataset_id from dataset_entitlement e))
  with check ((select app_is_operator() or app_is_owner()) or id in (select e.dataset_id from dataset_entitlement e));
-- A worker may read shared datasets, but it imports only into those of the workspace that it works for. The policies
-- `of_own_dataset` below say the same of the rows.
create policy of_own_workspace on dataset as restrictive for update
  using ((select not app_is_worker()) or workspace_uid = (select app_workspace()));
alter table dataset_entitlement enable row level security, force row level security;
create policy visible on dataset_entitlement
  using ((select app_is_operator()) or workspace_uid = (select app_workspace()))
  with check ((select app_is_operator()) or workspace_uid = (select app_workspace()));

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
alter table dataset_import enable row level security, force row level security;
create policy visible on dataset_import
  using ((select app_is_operator()) or dataset_id in (select e.dataset_id from dataset_entitlement e))
  with check ((select app_is_operator()) or dataset_id in (select e.dataset_id from dataset_entitlement e));
create policy of_own_dataset on dataset_import as restrictive for insert
  with check ((select not app_is_worker())
    or dataset_id in (select d.id from dataset d where d.workspace_uid = (select app_workspace())));

-- A dataset without a row here, or without a number of years, keeps everything.
create table dataset_retention (
  dataset_id integer primary key references dataset,
  workspace_uid text not null references workspace,
  keep_years integer check (keep_years between 1 and 200),
  set_by_uid text not null references person,
  set_at timestamptz not null
);
alter table dataset_retention enable row level security, force row level security;
create policy visible on dataset_retention
  using (workspace_uid = (select app_workspace()) or (select app_is_operator() or app_is_owner()))
  with check (workspace_uid = (select app_workspace()) or (select app_is_operator() or app_is_owner()));

-- An instrument keeps its uid when its symbol changes: the row of the new symbol names the old one in `follows`.
create table instrument (
  dataset_id integer not null references dataset,
  symbol text not null collate "C",
  uid text not null,
  follows text collate "C",
  primary key (dataset_id, symbol)
);
create index instrument_uid on instrument (uid);
alter table instrument enable row level security, force row level security;
create policy visible on instrument
  using ((select app_is_operator()) or dataset_id in (select e.dataset_id from dataset_entitlement e))
  with check ((select app_is_operator()) or dataset_id in (select e.dataset_id from dataset_entitlement e));
create policy of_own_dataset on instrument as restrictive for insert
  with check ((select not app_is_worker())
    or dataset_id in (select d.id from dataset d where d.workspace_uid = (select app_workspace())));

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
  withdrawn boolean not null default false,
  exchange text,
  currency text,
  status text,
  previous_symbol text collate "C",
  primary key (dataset_id, symbol, observed_on, known_at, revision),
  foreign key (dataset_id, symbol) references instrument
);
alter table instrument_version enable row level security, force row level security;
create policy visible on instrument_version
  using ((select app_is_operator()) or dataset_id in (select e.dataset_id from dataset_entitlement e))
  with check ((select app_is_operator()) or dataset_id in (select e.dataset_id from dataset_entitlement e));
create policy of_own_dataset on instrument_version as restrictive for insert
  with check ((select not app_is_worker())
    or dataset_id in (select d.id from dataset d where d.workspace_uid = (select app_workspace())));

-- Prices lie in partitions of five years, in a schema that no login role may use: roles read and write through
-- this table, with its policy. Rows before the first range or behind the last lie in `price_rest`.
--
-- There is no foreign key to dataset: checking it row by row takes 40 % of an import, and no role may delete a
-- dataset.
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
  close numeric check (close > 0),
  adj_close numeric check (adj_close > 0),
  volume numeric check (volume >= 0),
  withdrawn boolean not null default false,
  primary key (dataset_id, symbol, frequency, observed_on, known_at, revision),
  constraint price_withdrawn check (withdrawn = (close is null))
) partition by range (observed_on);
create schema if not exists partitions;
create table partitions.price_rest partition of price default;
select wall_off_partition('price_rest');
select add_partition('price', first_year) from generate_series(1960, 2030, 5) as first_year;
alter table price enable row level security, force row level security;
create policy visible on price
  using ((select app_is_operator()) or dataset_id in (select e.dataset_id from dataset_entitlement e))
  with check ((select app_is_operator()) or dataset_id in (select e.dataset_id from dataset_entitlement e));
create policy of_own_dataset on price as restrictive for insert
  with check ((select not app_is_worker())
    or dataset_id in (select d.id from dataset d where d.workspace_uid = (select app_workspace())));

create table corporate_action (
  dataset_id integer not null,
  symbol text not null collate "C",
  type text not null collate "C",
  observed_on date not null,
  known_at timestamptz not null,
  known_at_basis text not null check (known_at_basis in ('stated', 'assumed', 'imported')),
  revision integer not null,
  withdrawn boolean not null default false,
  amount numeric check (amount > 0),
  ratio numeric check (ratio > 0),
  basis text,
  primary key (dataset_id, symbol, observed_on, type, known_at, revision),
  check (withdrawn = (amount is null and ratio is null))
);
alter table corporate_action enable row level security, force row level security;
create policy visible on corporate_action
  using ((select app_is_operator() or app_is_owner())
    or dataset_id in (select e.dataset_id from dataset_entitlement e))
  with check ((select app_is_operator() or app_is_owner())
    or dataset_id in (select e.dataset_id from dataset_entitlement e));
create policy of_own_dataset on corporate_action as restrictive for insert
  with check ((select not app_is_worker())
    or dataset_id in (select d.id from dataset d where d.workspace_uid = (select app_workspace())));

create table fundamental (
  dataset_id integer not null,
  symbol text not null collate "C",
  metric text not null collate "C",
  observed_on date not null,
  known_at timestamptz not null,
  known_at_basis text not null check (known_at_basis in ('stated', 'assumed', 'imported')),
  revision integer not null,
  withdrawn boolean not null default false,
  value numeric,
  primary key (dataset_id, symbol, observed_on, metric, known_at, revision),
  check (withdrawn = (value is null))
);
alter table fundamental enable row level security, force row level security;
create policy visible on fundamental
  using ((select app_is_operator() or app_is_owner())
    or dataset_id in (select e.dataset_id from dataset_entitlement e))
  with check ((select app_is_operator() or app_is_owner())
    or dataset_id in (select e.dataset_id from dataset_entitlement e));
create policy of_own_dataset on fundamental as restrictive for insert
  with check ((select not app_is_worker())
    or dataset_id in (select d.id from dataset d where d.workspace_uid = (select app_workspace())));

-- The description of a series, revision by revision. Without `known_at` a description counts as known since
-- `recorded_at`.
create table economic_series (
  dataset_id integer not null references dataset,
  key text not null collate "C",
  revision integer not null,
  title text,
  frequency text check (frequency in ('daily', 'weekly', 'biweekly', 'monthly', 'quarterly', 'semiannual', 'yearly')),
  unit text,
  seasonal_adjustment text,
  source text,
  licence text,
  recorded_at timestamptz not null,
  known_at timestamptz,
  primary key (key, dataset_id, revision)
);
alter table economic_series enable row level security, force row level security;
create policy visible on economic_series
  using ((select app_is_operator()) or dataset_id in (select e.dataset_id from dataset_entitlement e))
  with check ((select app_is_operator()) or dataset_id in (select e.dataset_id from dataset_entitlement e));
create policy of_own_dataset on economic_series as restrictive for insert
  with check ((select not app_is_worker())
    or dataset_id in (select d.id from dataset d where d.workspace_uid = (select app_workspace())));

-- There is no foreign key to the series: no role may delete one, and the check costs as much as the write.
create table economic_observation (
  dataset_id integer not null,
  series text not null collate "C",
  observed_on date not null,
  known_at timestamptz not null,
  known_at_basis text not null check (known_at_basis in ('stated', 'assumed', 'imported')),
  revision integer not null,
  withdrawn boolean not null default false,
  value numeric,
  primary key (dataset_id, series, observed_on, known_at, revision),
  check (withdrawn = (value is null))
);
alter table economic_observation enable row level security, force row level security;
create policy visible on economic_observation
  using ((select app_is_operator() or app_is_owner())
    or dataset_id in (select e.dataset_id from dataset_entitlement e))
  with check ((select app_is_operator() or app_is_owner())
    or dataset_id in (select e.dataset_id from dataset_entitlement e));
create policy of_own_dataset on economic_observation as restrictive for insert
  with check ((select not app_is_worker())
    or dataset_id in (select d.id from dataset d where d.workspace_uid = (select app_workspace())));

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
alter table metric_definition enable row level security, force row level security;
create policy visible on metric_definition
  using (workspace_uid = (select app_workspace()) or (select app_is_operator()))
  with check (workspace_uid = (select app_workspace()) or (select app_is_operator()));
create trigger append_only before update or delete or truncate on metric_definition
  for each statement execute function audit_refuse_change();

-- `company` is the id of a company, or 'workspace' for a metric of no company. It is text, as every subject of
-- observations.
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
alter table company_metric enable row level security, force row level security;
create policy visible on company_metric
  using ((select app_is_operator() or app_is_owner())
    or dataset_id in (select e.dataset_id from dataset_entitlement e))
  with check ((select app_is_operator() or app_is_owner())
    or dataset_id in (select e.dataset_id from dataset_entitlement e));
create policy of_own_dataset on company_metric as restrictive for insert
  with check ((select not app_is_worker())
    or dataset_id in (select d.id from dataset d where d.workspace_uid = (select app_workspace())));

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
alter table taxonomy_version enable row level security, force row level security;
create policy visible on taxonomy_version
  using ((select app_is_operator()) or dataset_id in (select e.dataset_id from dataset_entitlement e))
  with check ((select app_is_operator()) or dataset_id in (select e.dataset_id from dataset_entitlement e));

create table taxonomy_exposure (
  taxonomy_version_id integer not null references taxonomy_version,
  theme text not null collate "C",
  symbol text not null collate "C",
  exposure_micro integer not null check (exposure_micro between 0 and 1000000),
  primary key (taxonomy_version_id, theme, symbol)
);
alter table taxonomy_exposure enable row level security, force row level security;
create policy visible on taxonomy_exposure
  using ((select app_is_operator()) or taxonomy_version_id in (select v.id from taxonomy_version v))
  with check ((select app_is_operator()) or taxonomy_version_id in (select v.id from taxonomy_version v));

-- `snapshots` names the sealed research snapshots that a content was assembled from.
create table numeric_version (
  dataset_id integer not null references dataset,
  revision integer not null,
  content_hash text not null,
  columns json not null,
  row_count integer not null,
  imported_by_uid text references person,
  imported_at timestamptz not null,
  snapshots json,
  primary key (dataset_id, revision)
);
alter table numeric_version enable row level security, force row level security;
create policy visible on numeric_version
  using ((select app_is_operator()) or dataset_id in (select e.dataset_id from dataset_entitlement e))
  with check ((select app_is_operator()) or dataset_id in (select e.dataset_id from dataset_entitlement e));
create policy of_own_dataset on numeric_version as restrictive for insert
  with check ((select not app_is_worker())
    or dataset_id in (select d.id from dataset d where d.workspace_uid = (select app_workspace())));
create trigger append_only before update or delete or truncate on numeric_version
  for each statement execute function audit_refuse_change();

create table numeric_row (
  dataset_id integer not null,
  revision integer not null,
  position integer not null,
  observed_on date,
  entity text collate "C",
  "values" double precision[] not null,
  primary key (dataset_id, revision, position)
);
alter table numeric_row enable row level security, force row level security;
create policy visible on numeric_row
  using ((select app_is_operator()) or dataset_id in (select e.dataset_id from dataset_entitlement e))
  with check ((select app_is_operator()) or dataset_id in (select e.dataset_id from dataset_entitlement e));
create policy of_own_dataset on numeric_row as restrictive for insert
  with check ((select not app_is_worker())
    or dataset_id in (select d.id from dataset d where d.workspace_uid = (select app_workspace())));
create trigger append_only before update or delete or truncate on numeric_row
  for each statement execute function audit_refuse_change();

create table numeric_description (
  id integer generated always as identity primary key,
  dataset_id integer not null references dataset,
  owner_uid text references person,
  units jsonb not null,
  described_by_uid text not null references person,
  described_at timestamptz not null
);
create index on numeric_description (dataset_id, id desc);
alter table numeric_description enable row level security, force row level security;
create policy visible on numeric_description
  using ((select app_is_operator()) or dataset_id in (select e.dataset_id from dataset_entitlement e))
  with check ((select app_is_operator()) or dataset_id in (select e.dataset_id from dataset_entitlement e));
create trigger append_only before update or delete or truncate on numeric_description
  for each statement execute function audit_refuse_change();

create table numeric_approval (
  id integer generated always as identity primary key,
  dataset_id integer not null references dataset,
  revision integer not null,
  approved_hash text not null,
  approved_by_uid text not null references person,
  approved_at timestamptz not null
);
create index on numeric_approval (dataset_id, id desc);
alter table numeric_approval enable row level security, force row level security;
create policy visible on numeric_approval
  using ((select app_is_operator()) or dataset_id in (select e.dataset_id from dataset_entitlement e))
  with check ((select app_is_operator()) or dataset_id in (select e.dataset_id from dataset_entitlement e));
create trigger append_only before update or delete or truncate on numeric_approval
  for each statement execute function audit_refuse_change();
